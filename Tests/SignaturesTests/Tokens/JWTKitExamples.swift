import Testing

/// Tokens that JWTKit 5.7.1, Vapor's library, made once for these tests, with the keys that verify
/// them.
///
/// Its `JWTKeyCollection.sign` was called with one payload for each algorithm: the person `zoë`, the
/// audience `here`, and an expiry on 1 January 3000. JWTKit made the key pairs of ES256 and EdDSA,
/// and `openssl genrsa 2048` that of RS256. The private keys were thrown away, so nobody can sign
/// with them.
enum JWTKitExamples {
  /// A token, and the key file that verifies it.
  struct Example: Sendable, CustomTestStringConvertible {
    let algorithm: String
    /// The contents of the key file: a secret, or a public key in PEM.
    let key: String
    let token: String

    var testDescription: String { algorithm }
  }

  static let all: [Example] = [
    Example(
      algorithm: "HS256",
      key: "jwt-kit's test secret of 32 bytes",
      token: """
        eyJraWQiOiJocyIsInR5cCI6IkpXVCIsImFsZyI6IkhTMjU2In0.eyJncm91cHMiOlsiZnJpZGF5Iiwi\
        Y2x1Yi0qIl0sInN1YiI6Inpvw6siLCJleHAiOjMyNTAzNjgwMDAwLCJhdWQiOiJoZXJlIiwibmFtZSI6\
        Ilpvw6sifQ.glUCPiLyVugd_MuB2h57Lz4I3kcyfoV7s-tbJOx9_2k
        """),
    Example(
      algorithm: "ES256",
      key: """
        -----BEGIN PUBLIC KEY-----
        MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEpP754e48j9OGRcaTKJuJIBWKyon/
        z7mxnpmfSnK5h8UeRUEtLpLdCHNhlBQRYMEqd1Q+ExjNZLq8LSU39vxSnA==
        -----END PUBLIC KEY-----
        """,
      token: """
        eyJraWQiOiJlcyIsInR5cCI6IkpXVCIsImFsZyI6IkVTMjU2In0.eyJleHAiOjMyNTAzNjgwMDAwLCJu\
        YW1lIjoiWm_DqyIsInN1YiI6Inpvw6siLCJhdWQiOiJoZXJlIiwiZ3JvdXBzIjpbImZyaWRheSIsImNs\
        dWItKiJdfQ.huVL4UPYDhfRMqGOab9umK9zvmUa_OuS-Df8b1dR_PFyEx0ApLTRJ2HgPPWFZieZ2KXWW\
        ZYmiF84_bGbR8yzsA
        """),
    Example(
      algorithm: "EdDSA",
      key: """
        -----BEGIN PUBLIC KEY-----
        MCowBQYDK2VwAyEAEbPG2b1H95dotCvHmqy8rJ43Bhp3KG/FO1BveiTPGwE=
        -----END PUBLIC KEY-----
        """,
      token: """
        eyJraWQiOiJlZCIsInR5cCI6IkpXVCIsImFsZyI6IkVkRFNBIn0.eyJncm91cHMiOlsiZnJpZGF5Iiwi\
        Y2x1Yi0qIl0sInN1YiI6Inpvw6siLCJleHAiOjMyNTAzNjgwMDAwLCJhdWQiOiJoZXJlIiwibmFtZSI6\
        Ilpvw6sifQ.Mb2gJubw0ofBt8Fr53uZEX_u3Bon73cGiMKlmWZ1AX3ozl98PyPyH7TdQbxnogsy1_nlK\
        gA4cowC8-Sz_mJ5BQ
        """),
    Example(
      algorithm: "RS256",
      key: """
        -----BEGIN PUBLIC KEY-----
        MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAk9Aqhdcvz1U4pXZAuPOO
        +fMA9VwAZdc/nc5PrG6nlUMlQQNfoM34XqUJwYcNm7htRgn6SziMqT7i1JANTeW8
        gQIxEMVN5aZdjQszfo+Umglmiy7MgQ/DOeGM/3lKIjDP/9xTwV0Gydx4opk0I3MH
        KfdMoazLgaJiVpiq2h2pRuNFVJEI6bH4Pq6g3WQcwfDtLXK5NvlPeFlFR9S7t29+
        Qgi9k47vL7CEZPseBGoeC0MJLzF1GfbtyQUX6sEewP5yb6dRVuvY85A48yGZJIxb
        YIoTgyk148wm0j0ljXqhgcJGLSYknWMqdsyFuHpdPp2iSrJrjxoCCsjCiIxCBNoG
        +wIDAQAB
        -----END PUBLIC KEY-----
        """,
      token: """
        eyJ0eXAiOiJKV1QiLCJhbGciOiJSUzI1NiIsImtpZCI6InJzIn0.eyJuYW1lIjoiWm_DqyIsImdyb3Vw\
        cyI6WyJmcmlkYXkiLCJjbHViLSoiXSwic3ViIjoiem_DqyIsImV4cCI6MzI1MDM2ODAwMDAsImF1ZCI6\
        ImhlcmUifQ.kSIYm3P-lA941thkG9KEk59NcD9uB00qvbeq7h00Mgn4jVtiw6l1tCC4Kf5vb-b5mbK2A\
        N3wpl9k_zcrxxUxi8UejDaurKOtoWQa_fQVcH48ToyetQENigbgS4GK7JnRljmiNXlbGkk9U8HQFMKxB\
        FYXfLXsHl2B7MOiJuYrRNvTdW_s7eRqbOd2ei0YOWy7DRbl97KIR2dQI42kkvjNBwNe1DobBge6Tw-wT\
        5uzLmfQXeF3KSC9FS0favrcM717ouuqeqGKQiP0UFYtUnBCloAzF69lVsqRUb0z__5kLWeFW0TfYSbe7\
        TfrDJXKzVCaSjWl4xKvWwcx8yMO-P4zgQ
        """),
  ]

  /// All four keys as a set (RFC 7517), each under the `kid` of its token.
  static let keySet = #"""
    {"keys":[
      {"kty":"oct","kid":"hs","k":"and0LWtpdCdzIHRlc3Qgc2VjcmV0IG9mIDMyIGJ5dGVz"},
      {"kty":"EC","crv":"P-256","kid":"es","x":"pP754e48j9OGRcaTKJuJIBWKyon_z7mxnpmfSnK5h8U","y":"HkVBLS6S3QhzYZQUEWDBKndUPhMYzWS6vC0lN_b8Upw"},
      {"kty":"OKP","crv":"Ed25519","kid":"ed","x":"EbPG2b1H95dotCvHmqy8rJ43Bhp3KG_FO1BveiTPGwE"},
      {"kty":"RSA","kid":"rs","e":"AQAB",
        "n":"k9Aqhdcvz1U4pXZAuPOO-fMA9VwAZdc_nc5PrG6nlUMlQQNfoM34XqUJwYcNm7htRgn6SziMqT7i1JAN\#
    TeW8gQIxEMVN5aZdjQszfo-Umglmiy7MgQ_DOeGM_3lKIjDP_9xTwV0Gydx4opk0I3MHKfdMoazLgaJi\#
    Vpiq2h2pRuNFVJEI6bH4Pq6g3WQcwfDtLXK5NvlPeFlFR9S7t29-Qgi9k47vL7CEZPseBGoeC0MJLzF1\#
    GfbtyQUX6sEewP5yb6dRVuvY85A48yGZJIxbYIoTgyk148wm0j0ljXqhgcJGLSYknWMqdsyFuHpdPp2i\#
    SrJrjxoCCsjCiIxCBNoG-w"}
    ]}
    """#
}
