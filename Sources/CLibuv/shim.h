#include <uv.h>
// Wakes a loop; Swift's Glibc leaves it out.
#include <sys/eventfd.h>
