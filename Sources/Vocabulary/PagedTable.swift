/// A dictionary of large values: the hash table holds only where each of them lies.
///
/// A dictionary keeps its values in its hash table, a quarter to five eighths of which stand
/// empty, and copies them all when it grows; here an empty place costs the bytes of a key.
public typealias PagedTable<Key: Hashable & Sendable, Value: Sendable> = IndexedPages<
  [Key: UInt32], Value
>

/// Large values of peers, found by indexing.
public typealias PeerPages<Value: Sendable> = IndexedPages<PeerIndex, Value>
