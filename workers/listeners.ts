export { runListeners as listeners } from '../core/pipeline/run-listeners.ts';
