#ifndef CSIMDJSON_H
#define CSIMDJSON_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A parser with room for one document at a time, all of it allocated when it is created.
typedef struct csimdjson_parser csimdjson_parser;

/// A parsed document: simdjson's tape, and the texts that it points into.
///
/// The format of the tape is documented by simdjson (doc/tape.md), for readers like ours. Both
/// arrays belong to the parser, and live until it parses again.
typedef struct csimdjson_document {
  /// One 64-bit word a value, or two for a number.
  const uint64_t *tape;
  /// The words on the tape.
  size_t tape_count;
  /// Every string and key, unescaped, valid UTF-8: four bytes of length, the bytes, a zero.
  const uint8_t *strings;
  /// The bytes that may be read from `strings`.
  size_t strings_count;
  /// Why the text is no JSON, in simdjson's words; null if it was parsed. Never to be freed.
  const char *flaw;
} csimdjson_document;

/// A parser for texts of at most `maximum_bytes` and `maximum_depth` nested containers;
/// null if there is no memory.
csimdjson_parser *csimdjson_create(size_t maximum_bytes, size_t maximum_depth);

/// Frees the parser and its document.
void csimdjson_destroy(csimdjson_parser *parser);

/// Parses one text, which is copied first: simdjson reads past the end of its input.
csimdjson_document csimdjson_parse(csimdjson_parser *parser, const uint8_t *bytes, size_t count);

#ifdef __cplusplus
}
#endif

#endif
