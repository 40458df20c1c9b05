export { runAnswering as answer } from '../core/pipeline/run-pipeline.ts';
