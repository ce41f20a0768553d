/// Keys for tests, in PEM as OpenSSL writes them.
///
/// The pairs are those of the standards' examples, so they protect nothing.
package enum ExampleKeys {
  /// The key of RFC 7515, appendix A.3.
  package static let p256 = """
    -----BEGIN PRIVATE KEY-----
    MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgjpsQnnGQmL+YBIff
    H1136cspYG6+0iY7X1fCE9+E9LKhRANCAAR/zc4ncPbEXUGDy+5v20t7WAczNXvp
    7xO6z248e9FURcfxRM0bvZt+hyzf7bnuufSzaV1uqQskrYpGIyiFiOWt
    -----END PRIVATE KEY-----
    """

  package static let p256Public = """
    -----BEGIN PUBLIC KEY-----
    MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEf83OJ3D2xF1Bg8vub9tLe1gHMzV7
    6e8Tus9uPHvRVEXH8UTNG72bfocs3+257rn0s2ldbqkLJK2KRiMohYjlrQ==
    -----END PUBLIC KEY-----
    """

  /// The same point, compressed: `openssl ec -pubin -conv_form compressed`.
  package static let p256Compressed = """
    -----BEGIN PUBLIC KEY-----
    MDkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDIgADf83OJ3D2xF1Bg8vub9tLe1gHMzV7
    6e8Tus9uPHvRVEU=
    -----END PUBLIC KEY-----
    """

  /// The same key, encrypted with the password `secret`.
  package static let p256Encrypted = """
    -----BEGIN ENCRYPTED PRIVATE KEY-----
    MIHsMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAivtT72yor0/AICCAAw
    DAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEEFFzxLY8Pv1EndwpM5M7nUAEgZC9
    9Y2P7XtbnUtOZCey8vd6N6CYQwx+aQyL0c3dO6FaF1742LXgFVSiUyobBu4o8NCH
    pI+XqNh4nIYOYfdCfj8nzXLwoo9vqp/AWO1kcRB8QZM3FEHXXfsL8BDdEPaqPjjv
    OV75kr2ylyp/yqHdAcR1iso2QHyChCZFYIc+TJ7Wx4QiQPMSPK/+WvG25qKHsxE=
    -----END ENCRYPTED PRIVATE KEY-----
    """

  /// The key of RFC 8037, appendix A.1.
  package static let ed25519 = """
    -----BEGIN PRIVATE KEY-----
    MC4CAQAwBQYDK2VwBCIEIJ1hsZ3v/VpguoRK9JLsLMREScVpezJpGXA7rAMcrn9g
    -----END PRIVATE KEY-----
    """

  package static let ed25519Public = """
    -----BEGIN PUBLIC KEY-----
    MCowBQYDK2VwAyEA11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=
    -----END PUBLIC KEY-----
    """

  /// The key of RFC 7515, appendix A.2.
  package static let rsa = """
    -----BEGIN PRIVATE KEY-----
    MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQCh+BYK4uPJtGXO
    jS1lYmM2K5J9vinh8CR3/BYlzJChNuOL2TSXxbbqY913EeZ8dCn5VrD7io8ImtxL
    aYk8wTM/U+3QGbh3hCUv7JFP5IV3aVlL6kKA0ywPVb9ilE8TA5a8bpvfbr3SvaNn
    juygxmj3AbONv/s4yDQs4v5tJ/reSlpIdJed1LnPmt7Ex1sFhSwsD174pcF1A5L5
    ROjtZMEQxrZHYJqkeDrrnGya11UxMFBji4NmXG9veoKjlnAqH2QbgtPr8jkiGUkf
    toaHLFcW9Qr4NY2ai50Xw0Byj3+H2JoY2PyrZ62EWQwuz3WTOTY8BwNNb2BvniHg
    VFbK5emhAgMBAAECggEAEq5xpGnNCivDflJsRQBXHx1hdR1k6Ulwe2JZD50LpXyW
    PEAeP88vLNO97IjlA7/GQ5sLKMgvfTeXZx9SE+7YwVol2NXOoAJe46sui395IW/G
    O+pWJ1O0BkTGoVEn2bKVRUCgu+GjBVaYLU6f3l9kJfFNS3E0QbVdxzubSu3Mkqzj
    kn439X0M/V51gfpRLI9JYanrC4D4qAdGcopV/0ZHHzQlBjudU2QvXt4ehNYTCBr6
    XCLQUShb1juUO1ZdiYoFaFQT5Tw8bGUl/x/jTj3ccPDVZFD9pIuhLhBOneufuBiB
    4cS98l2SR/RQyGWSeWjnczT0QU91p1DhOVRuOopznQKBgQDgHMQQ60imZV1URk0K
    pLttoLhyt3SmqdEf/kgHePDdtzEafpAu+cS191R2JiuoF2yzWXnwFDcqGigp5BNr
    0AHQfD8/Lk8l1Mk09jxxCfui5nYooNyac8YFjm3vItzVCVDnEd3BbVWG8qf6deqE
    lMGAg+C2V0L4oNXnP7LZcPAZRwKBgQC5A8R+CZW2MvRTLLHzwZkUXV866cff7tx6
    kqa0finGG0KgeqlaZPxgCZnFp7AeAcCMtiynVlJ7vMVgePsLq6XtON4tB5kP9jAP
    rq3rbAOal78eUH5OcED6eNuCV8ixEu1eWcPNCS/l1OW1EnXUEoEHKl54Xrrz2uNw
    kgMTP1FZ1wKBgAcCn1dwJKufzBWQxWQp1vsM5fggqPN1qGb5y0MAk3g7/Ls5bkUp
    5u9SN0Ai3Ya6hNnvWJMb7sXQX6U/zyO2M/hTip7tUeh7CXgwo59dkpN75gJLVds2
    9+DAncu3KXU4f2Fa+7bLNrur53k8KwPOq2bbuTG69QtV7Jr5MR0AHWKNAoGBAIf/
    evpitUf+4JYbLpvNXWcY052Mpz22aR84mY3nh3F2LF2mjMJDpTg7FmuyPcVw6EcG
    yoAe9fa65iNqCq+jdw6PVNGo2hxfjSiZ8IIzHdsPXI89//pMjZcQK9r+CCoRjaZj
    OYiIDktVWZzmevJuv6WywUqd57LE3Zar3dLSIkx1AoGAIYd7DHOhrWvxkwPQsRM2
    tOgrjbcrfvtQJipd+DlcxyVuuM9sQLdgjVk2oy26F0EmpScGLq2MowX7fhd/QJQ3
    ydy5cY7YIBi87w93IKLEdfnbJtoOPLUW0ITrJReOgo1cq9SbsxYawBgfp/gh6A56
    03k2+ZQwVK0JKSHuLFkuQ3U=
    -----END PRIVATE KEY-----
    """

  package static let rsaPublic = """
    -----BEGIN PUBLIC KEY-----
    MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAofgWCuLjybRlzo0tZWJj
    NiuSfb4p4fAkd/wWJcyQoTbji9k0l8W26mPddxHmfHQp+Vaw+4qPCJrcS2mJPMEz
    P1Pt0Bm4d4QlL+yRT+SFd2lZS+pCgNMsD1W/YpRPEwOWvG6b32690r2jZ47soMZo
    9wGzjb/7OMg0LOL+bSf63kpaSHSXndS5z5rexMdbBYUsLA9e+KXBdQOS+UTo7WTB
    EMa2R2CapHg665xsmtdVMTBQY4uDZlxvb3qCo5ZwKh9kG4LT6/I5IhlJH7aGhyxX
    FvUK+DWNmoudF8NAco9/h9iaGNj8q2ethFkMLs91kzk2PAcDTW9gb54h4FRWyuXp
    oQIDAQAB
    -----END PUBLIC KEY-----
    """
}

/// Keys that Matinee does not use.
extension ExampleKeys {
  package static let p384 = """
    -----BEGIN PRIVATE KEY-----
    MIG2AgEAMBAGByqGSM49AgEGBSuBBAAiBIGeMIGbAgEBBDCQvqXINGfJ4GCwxehA
    vsyuLiDg7bu0lYLYlKOhYxCHt4nxiL9sklJG6JMY/aUdHjihZANiAARV9h81MTwI
    dQoFz2XciAC8+DuhMVQsTm3priN5ic137S2bZcTKO8LWtc92dtDXdLXZuFoFaCPz
    ip2lHhjFmTFTN46GUpAkGX+5bkTEYKMnx4kfAh5kxKAy+RvvPyUBDa8=
    -----END PRIVATE KEY-----
    """

  package static let p384Public = """
    -----BEGIN PUBLIC KEY-----
    MHYwEAYHKoZIzj0CAQYFK4EEACIDYgAEVfYfNTE8CHUKBc9l3IgAvPg7oTFULE5t
    6a4jeYnNd+0tm2XEyjvC1rXPdnbQ13S12bhaBWgj84qdpR4YxZkxUzeOhlKQJBl/
    uW5ExGCjJ8eJHwIeZMSgMvkb7z8lAQ2v
    -----END PUBLIC KEY-----
    """

  /// The curve of the same length that Bitcoin uses.
  package static let secp256k1Public = """
    -----BEGIN PUBLIC KEY-----
    MFYwEAYHKoZIzj0CAQYFK4EEAAoDQgAE5IRAKtJyRDLq5h9XIOSioPxysdgnitw+
    MFxk5viUCog19ngsgLJp7pTf4dG2J++Q2EKBhAz/TeN2HNs1DY6HTQ==
    -----END PUBLIC KEY-----
    """

  /// 1024 bits.
  package static let shortRSAPublic = """
    -----BEGIN PUBLIC KEY-----
    MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQCmwqVNiOoFv+xIINofSj1xZlWT
    xIwAi9xaQAWxiLiZ7mXNKVMUJUuKaOMKTnfDuweiuqxNr9SeFZdI4MlrBZTNRUSz
    8NeMiSNP6Rr6vCHWDZZnHbmVj3HqMZcYrvnSpAVQvC4cH5gzCGwVAfgMIX8XGthM
    TpSAbye1j6176T0J7QIDAQAB
    -----END PUBLIC KEY-----
    """

  package static let x25519Public = """
    -----BEGIN PUBLIC KEY-----
    MCowBQYDK2VuAyEAlNfXbKQq0OXhC+HNRMKRbhdf+N9Dq8l4efe8FBQQsgM=
    -----END PUBLIC KEY-----
    """
}
