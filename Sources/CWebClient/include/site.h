#include <stddef.h>

/// A file of the page.
struct site_file {
  const char *name;
  const unsigned char *bytes;
  size_t count;
};

/// The file at an index, in the order of the names; NULL behind the last one.
const struct site_file *site_file(size_t index);
