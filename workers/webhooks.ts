export { runWebhooks as webhooks } from '../core/webhooks/run-webhooks.ts';
