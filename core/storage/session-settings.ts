/**
 * What every database session is set to: the queue's tables are found beside ours, and a nearest-neighbour search
 * goes on until enough rows pass its filter. Compiling a statement takes PostgreSQL seconds, and running ours takes
 * milliseconds.
 */
export const sessionSettings = [
  'set search_path to public, bullmq',
  "set hnsw.iterative_scan to 'strict_order'",
  'set hnsw.ef_search to 100',
  'set jit to off',
].join('; ');
