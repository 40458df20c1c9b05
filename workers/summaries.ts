export { runSummaries as summaries } from '../core/conversations/summaries/run-summaries.ts';
