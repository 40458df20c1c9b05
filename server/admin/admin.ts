import type { Runtime } from '../../core/runtime/runtime.ts';
import { requireFreshProof } from '../plugins/fresh-proof.ts';
import { requireOperatorAccess } from '../plugins/operator-access.ts';
import type { TypedApp } from '../typed-app.ts';
import { answerRoutes } from './answers/answer.ts';
import { answerLogRoutes } from './answers/list.ts';
import { replayRoutes } from './answers/replay.ts';
import { auditRoutes } from './audit/routes.ts';
import { changeSetRoutes } from './changes/routes.ts';
import { trialRoutes } from './changes/trials.ts';
import { channelCheckRoutes } from './channels/checks.ts';
import { channelKindRoutes } from './channels/kinds.ts';
import { mailboxRoutes } from './channels/mailbox.ts';
import { channelPreviewRoutes } from './channels/preview.ts';
import { channelRoutes } from './channels/routes.ts';
import { conversationRoutes } from './conversations/routes.ts';
import { curatedRoutes } from './curated/routes.ts';
import { doctorRoutes } from './doctor/routes.ts';
import { documentRoutes } from './documents/routes.ts';
import { askRoutes } from './evaluation/ask.ts';
import { proposalRoutes } from './evaluation/proposals.ts';
import { testQuestionRoutes } from './evaluation/questions.ts';
import { testRunRoutes } from './evaluation/runs.ts';
import { gapRoutes } from './gaps/routes.ts';
import { countedConversationRoutes } from './insights/conversations.ts';
import { insightExportRoutes } from './insights/export.ts';
import { insightPanelRoutes } from './insights/panels.ts';
import { reportRoutes } from './insights/reports.ts';
import { failureRoutes } from './installation/failures.ts';
import { installationRoutes } from './installation/routes.ts';
import { keyRoutes } from './keys/routes.ts';
import { knowledgeRoutes } from './knowledge/routes.ts';
import { getAgentEvents, type LiveOptions } from './live/events.ts';
import { putPresence } from './live/presence.ts';
import { ownRoutes } from './me/routes.ts';
import { invitationRoutes } from './members/invitation-routes.ts';
import { memberRoutes } from './members/routes.ts';
import { modelRoutes } from './models/routes.ts';
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
import { importedTicketRoutes } from './tickets/imported-tickets.ts';
import { ticketImportRoutes } from './tickets/ticket-imports.ts';
import { webhookRoutes } from './webhooks/routes.ts';
import { workspaceListRoutes, workspaceRoutes } from './workspaces/routes.ts';

interface AdminOptions extends LiveOptions {
  /** Milliseconds after which the check of an API key is aborted. */
  readonly queryTimeoutMs: number;
}

/**
 * Registers the routes of operators, who send the admin token, and of people who are signed in to the dashboard. Routes that name a
 * scope take API keys too.
 */
export function adminRoutes(app: TypedApp, runtime: Runtime, live: AdminOptions): void {
  requireOperatorAccess(app, runtime, live.queryTimeoutMs);
  requireFreshProof(app, runtime);
  ownRoutes(app, runtime);
  workspaceListRoutes(app, runtime);
  queueRoutes(app, runtime);
  channelKindRoutes(app, runtime);
  sourceKindRoutes(app, runtime);
  doctorRoutes(app, runtime);
  installationSecretRoutes(app, runtime);
  installationPersonRoutes(app, runtime);
  installationRoutes(app, runtime);
  failureRoutes(app, runtime);
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
  curatedRoutes(app, runtime);
  gapRoutes(app, runtime);
  knowledgeRoutes(app, runtime);
  sourceRoutes(app, runtime);
  sourceChangeRoutes(app, runtime);
  postSearch(app, runtime);
  answerLogRoutes(app, runtime);
  answerRoutes(app, runtime);
  replayRoutes(app, runtime);
  askRoutes(app, runtime);
  testQuestionRoutes(app, runtime);
  proposalRoutes(app, runtime);
  testRunRoutes(app, runtime);
  ticketImportRoutes(app, runtime);
  importedTicketRoutes(app, runtime);
  changeSetRoutes(app, runtime);
  trialRoutes(app, runtime);
  conversationRoutes(app, runtime);
  insightPanelRoutes(app, runtime);
  countedConversationRoutes(app, runtime);
  insightExportRoutes(app, runtime);
  reportRoutes(app, runtime);
  personRoutes(app, runtime);
  memberRoutes(app, runtime);
  invitationRoutes(app, runtime);
  signInRuleRoutes(app, runtime);
  modelRoutes(app, runtime);
  auditRoutes(app, runtime);
  webhookRoutes(app, runtime);
  skillRoutes(app, runtime);
  channelRoutes(app, runtime);
  channelCheckRoutes(app, runtime);
  mailboxRoutes(app, runtime);
  channelPreviewRoutes(app, runtime);
  secretRoutes(app, runtime);
  getAgentEvents(app, runtime, live);
  putPresence(app, runtime);
}
