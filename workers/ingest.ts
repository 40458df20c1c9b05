export { runIngest as ingest } from '../core/knowledge/run-ingest.ts';
