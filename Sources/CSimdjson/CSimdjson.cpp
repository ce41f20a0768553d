#include "CSimdjson.h"

#include <cstring>
#include <memory>
#include <new>
#include <simdjson.h>

struct csimdjson_parser {
  simdjson::dom::parser parser;
  std::unique_ptr<uint8_t[]> input;
  size_t maximum_bytes = 0;
  /// What `simdjson::dom::document::allocate` reserves for strings, before rounding up.
  size_t strings_count = 0;
};

extern "C" csimdjson_parser *csimdjson_create(size_t maximum_bytes, size_t maximum_depth) {
  std::unique_ptr<csimdjson_parser> made{new (std::nothrow) csimdjson_parser};
  if (!made) return nullptr;
  // simdjson's smallest capacity; with a smaller one it would reallocate in the first parse.
  size_t capacity = maximum_bytes < 32 ? 32 : maximum_bytes;
  made->input.reset(new (std::nothrow) uint8_t[capacity + simdjson::SIMDJSON_PADDING]);
  if (!made->input) return nullptr;
  if (made->parser.allocate(capacity, maximum_depth) != simdjson::SUCCESS) return nullptr;
  if (made->parser.doc.allocate(capacity) != simdjson::SUCCESS) return nullptr;
  made->maximum_bytes = maximum_bytes;
  made->strings_count = 5 * capacity / 3 + simdjson::SIMDJSON_PADDING;
  return made.release();
}

extern "C" void csimdjson_destroy(csimdjson_parser *parser) {
  delete parser;
}

extern "C" csimdjson_document csimdjson_parse(
    csimdjson_parser *parser, const uint8_t *bytes, size_t count) {
  csimdjson_document document{};
  if (count > parser->maximum_bytes) {
    document.flaw = simdjson::error_message(simdjson::CAPACITY);
    return document;
  }
  if (count > 0) std::memcpy(parser->input.get(), bytes, count);
  std::memset(parser->input.get() + count, ' ', simdjson::SIMDJSON_PADDING);
  auto error = parser->parser.parse(parser->input.get(), count, false).error();
  if (error != simdjson::SUCCESS) {
    document.flaw = simdjson::error_message(error);
    return document;
  }
  document.tape = parser->parser.doc.tape.get();
  // The payload of the first word, the root's, is the number of words on the tape.
  document.tape_count = size_t(document.tape[0] & 0x00FFFFFFFFFFFFFFull);
  document.strings = parser->parser.doc.string_buf.get();
  document.strings_count = parser->strings_count;
  return document;
}
