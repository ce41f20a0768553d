#ifndef CSIMDJSON_H
#define CSIMDJSON_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A parser for one document at a time; allocates all its memory at creation.
typedef struct csimdjson_parser csimdjson_parser;

/// A parsed document: simdjson's tape and the texts that it refers to.
///
/// simdjson documents the tape's format in doc/tape.md. Both arrays belong to the parser and are
/// valid until it parses again.
typedef struct csimdjson_document {
  /// One 64-bit word per value, two for a number.
  const uint64_t *tape;
  /// The number of words on the tape.
  size_t tape_count;
  /// Every string and key, unescaped, in valid UTF-8: a four-byte length, the bytes, a zero.
  const uint8_t *strings;
  /// How many bytes of `strings` may be read.
  size_t strings_count;
  /// simdjson's error message; null if the text was parsed. Must not be freed.
  const char *flaw;
} csimdjson_document;

/// Creates a parser for texts of at most `maximum_bytes` and `maximum_depth` nested containers;
/// null if there is no memory.
csimdjson_parser *csimdjson_create(size_t maximum_bytes, size_t maximum_depth);

/// Frees the parser and its document.
void csimdjson_destroy(csimdjson_parser *parser);

/// Parses a text. It is copied first, because simdjson reads past the end of its input.
csimdjson_document csimdjson_parse(csimdjson_parser *parser, const uint8_t *bytes, size_t count);

#ifdef __cplusplus
}
#endif

#endif
