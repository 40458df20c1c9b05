import multipart from '@fastify/multipart';
import type { Runtime } from '../../core/runtime.ts';
import type { Drain } from '../drain.ts';
import { authenticateOperator } from '../plugins/authenticate-operator.ts';
import type { TypedApp } from '../typed-app.ts';
import { deleteChannel } from './channels/delete-channel.ts';
import { getChannel } from './channels/get-channel.ts';
import { getChannels } from './channels/get-channels.ts';
import { patchChannel } from './channels/patch-channel.ts';
import { postChannel } from './channels/post-channel.ts';
import { postInstallLink } from './channels/post-install-link.ts';
import { deleteSessions } from './conversations/delete-sessions.ts';
import { getAttachment } from './conversations/get-attachment.ts';
import { getAuditLog } from './conversations/get-audit-log.ts';
import { postReply } from './conversations/post-reply.ts';
import { deleteDocument } from './documents/delete-document.ts';
import { getDocument } from './documents/get-document.ts';
import { getDocuments } from './documents/get-documents.ts';
import { postDocument, uploadDocument } from './documents/post-document.ts';
import { findWorkspace } from './find-workspace.ts';
import { deleteKey } from './keys/delete-key.ts';
import { getKeys } from './keys/get-keys.ts';
import { postKey } from './keys/post-key.ts';
import { people } from './people/people.ts';
import { getFailures } from './queues/get-failures.ts';
import { getQueues } from './queues/get-queues.ts';
import { retryQueue } from './queues/retry-queue.ts';
import { postSearch } from './search/post-search.ts';
import { getSecrets, postEncryptionKeyRotation, postReseal } from './secrets/installation-secrets.ts';
import { rotateSecrets } from './secrets/rotate-secrets.ts';
import { deleteSkill } from './skills/delete-skill.ts';
import { getSkill } from './skills/get-skill.ts';
import { getSkills } from './skills/get-skills.ts';
import { patchSkill } from './skills/patch-skill.ts';
import { postSkill } from './skills/post-skill.ts';
import { testSkill } from './skills/test-skill.ts';
import { deleteWebhook } from './webhooks/delete-webhook.ts';
import { getDeliveries } from './webhooks/get-deliveries.ts';
import { getWebhooks } from './webhooks/get-webhooks.ts';
import { patchWebhook } from './webhooks/patch-webhook.ts';
import { postWebhook } from './webhooks/post-webhook.ts';
import { replayDelivery } from './webhooks/replay-delivery.ts';
import { deleteWorkspace } from './workspaces/delete-workspace.ts';
import { getWorkspace } from './workspaces/get-workspace.ts';
import { getWorkspaces } from './workspaces/get-workspaces.ts';
import { patchWorkspace } from './workspaces/patch-workspace.ts';
import { postWorkspace } from './workspaces/post-workspace.ts';

/** What the operator calls with the admin token. */
export function admin(app: TypedApp, runtime: Runtime, drain: Drain): void {
  authenticateOperator(app, runtime);
  postWorkspace(app, runtime);
  getWorkspaces(app, runtime);
  getQueues(app, runtime);
  getFailures(app, runtime);
  retryQueue(app, runtime);
  getSecrets(app, runtime);
  postReseal(app, runtime);
  postEncryptionKeyRotation(app, runtime);
  app.register(async (scope: TypedApp) => oneWorkspace(scope, runtime, drain), {
    prefix: '/workspaces/:workspace_id',
  });
}

function oneWorkspace(app: TypedApp, runtime: Runtime, drain: Drain): void {
  findWorkspace(app, runtime);
  getWorkspace(app);
  patchWorkspace(app, runtime);
  deleteWorkspace(app, runtime);
  postKey(app, runtime);
  getKeys(app, runtime);
  deleteKey(app, runtime);
  getDocuments(app, runtime);
  getDocument(app, runtime);
  deleteDocument(app, runtime);
  postSearch(app, runtime);
  getAttachment(app, runtime);
  getAuditLog(app, runtime);
  people(app, runtime);
  postReply(app, runtime);
  deleteSessions(app, runtime);
  postWebhook(app, runtime);
  getWebhooks(app, runtime);
  patchWebhook(app, runtime);
  deleteWebhook(app, runtime);
  getDeliveries(app, runtime);
  replayDelivery(app, runtime);
  postSkill(app, runtime);
  getSkills(app, runtime);
  getSkill(app, runtime);
  patchSkill(app, runtime);
  deleteSkill(app, runtime);
  testSkill(app, runtime);
  postChannel(app, runtime);
  getChannels(app, runtime);
  getChannel(app, runtime);
  patchChannel(app, runtime);
  deleteChannel(app, runtime);
  postInstallLink(app, runtime);
  rotateSecrets(app, runtime);
  app.register(async (scope: TypedApp) => {
    await scope.register(multipart, { throwFileSizeLimit: false });
    postDocument(scope, runtime, drain);
    uploadDocument(scope, runtime, drain);
  });
}
