export { runDelivering as deliver } from '../core/pipeline/run-pipeline.ts';
