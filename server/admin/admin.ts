import type { Runtime } from '../../core/runtime/runtime.ts';
import { requireFreshProof } from '../plugins/fresh-proof.ts';
import { requireOperatorAccess } from '../plugins/operator-access.ts';
import type { TypedApp } from '../typed-app.ts';
import { auditRoutes } from './audit/routes.ts';
import { channelCheckRoutes } from './channels/checks.ts';
import { channelKindRoutes } from './channels/kinds.ts';
import { channelPreviewRoutes } from './channels/preview.ts';
import { channelRoutes } from './channels/routes.ts';
import { conversationRoutes } from './conversations/routes.ts';
import { doctorRoutes } from './doctor/routes.ts';
import { documentRoutes } from './documents/routes.ts';
import { askRoutes } from './evaluation/ask.ts';
import { testQuestionRoutes } from './evaluation/questions.ts';
import { testRunRoutes } from './evaluation/runs.ts';
import { keyRoutes } from './keys/routes.ts';
import { knowledgeRoutes } from './knowledge/routes.ts';
import { getAgentEvents, type LiveOptions } from './live/events.ts';
import { putPresence } from './live/presence.ts';
import { ownRoutes } from './me/routes.ts';
import { invitationRoutes } from './members/invitation-routes.ts';
import { memberRoutes } from './members/routes.ts';
import { loadRequestWorkspace } from './operator-route.ts';
import { personRoutes } from './people/routes.ts';
import { installationPersonRoutes } from './persons/routes.ts';
import { queueRoutes } from './queues/routes.ts';
import { postSearch } from './search/routes.ts';
import { installationSecretRoutes } from './secrets/installation.ts';
import { secretRoutes } from './secrets/routes.ts';
import { correctionRoutes } from './settings/correction.ts';
import { settingsRoutes } from './settings/routes.ts';
import { signInRuleRoutes } from './sign-in/routes.ts';
import { skillRoutes } from './skills/routes.ts';
import { snippetRoutes } from './snippets/routes.ts';
import { sourceChangeRoutes } from './sources/change-routes.ts';
import { sourceKindRoutes, sourceRoutes } from './sources/routes.ts';
import { webhookRoutes } from './webhooks/routes.ts';
import { workspaceListRoutes, workspaceRoutes } from './workspaces/routes.ts';

/** Registers the routes of operators, who send the admin token, and of people who are signed in to the dashboard. */
export function adminRoutes(app: TypedApp, runtime: Runtime, live: LiveOptions): void {
  requireOperatorAccess(app, runtime);
  requireFreshProof(app, runtime);
  ownRoutes(app, runtime);
  workspaceListRoutes(app, runtime);
  queueRoutes(app, runtime);
  channelKindRoutes(app, runtime);
  sourceKindRoutes(app, runtime);
  doctorRoutes(app, runtime);
  installationSecretRoutes(app, runtime);
  installationPersonRoutes(app, runtime);
  app.register(async (scope: TypedApp) => workspaceScope(scope, runtime, live), {
    prefix: '/workspaces/:workspace_id',
  });
}

function workspaceScope(app: TypedApp, runtime: Runtime, live: LiveOptions): void {
  loadRequestWorkspace(app, runtime);
  workspaceRoutes(app, runtime);
  settingsRoutes(app, runtime);
  correctionRoutes(app, runtime);
  snippetRoutes(app, runtime);
  keyRoutes(app, runtime);
  documentRoutes(app, runtime, live.drain);
  knowledgeRoutes(app, runtime);
  sourceRoutes(app, runtime);
  sourceChangeRoutes(app, runtime);
  postSearch(app, runtime);
  askRoutes(app, runtime);
  testQuestionRoutes(app, runtime);
  testRunRoutes(app, runtime);
  conversationRoutes(app, runtime);
  personRoutes(app, runtime);
  memberRoutes(app, runtime);
  invitationRoutes(app, runtime);
  signInRuleRoutes(app, runtime);
  auditRoutes(app, runtime);
  webhookRoutes(app, runtime);
  skillRoutes(app, runtime);
  channelRoutes(app, runtime);
  channelCheckRoutes(app, runtime);
  channelPreviewRoutes(app, runtime);
  secretRoutes(app, runtime);
  getAgentEvents(app, runtime, live);
  putPresence(app, runtime);
}
