#include "components.h"

/* The root of a vertex. The vertices on the path to it are moved up the tree. */
static int root_of(int *parent, int v) {
  while (parent[v] != v) v = parent[v] = parent[parent[v]];
  return v;
}

int components_join(int *parent, int a, int b) {
  const int first = root_of(parent, a), second = root_of(parent, b);
  /* The lower vertex stays a root, so that parents come before their children. */
  if (first < second) parent[second] = first;
  if (second < first) parent[first] = second;
  return first != second;
}

int components(size_t n, size_t edges, const int *from, const int *to, int *component) {
  for (size_t v = 0; v < n; v++) component[v] = (int)v;
  for (size_t e = 0; e < edges; e++) components_join(component, from[e], to[e]);
  /* Components are numbered in the order of their roots. All vertices before v are numbered, and
   * a vertex that is not a root takes the number of its parent. */
  int count = 0;
  for (size_t v = 0; v < n; v++)
    component[v] = component[v] == (int)v ? count++ : component[component[v]];
  return count;
}
