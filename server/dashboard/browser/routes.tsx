import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
} from '@tanstack/react-router';
import { Frame } from './frame/frame.tsx';
import { FirstArea } from './screens/first-area.tsx';
import { NothingHere } from './screens/nothing-here.tsx';
import { ScreenError } from './screens/screen-error.tsx';
import { WorkspaceGate } from './screens/workspace-gate.tsx';

const rootRoute = createRootRouteWithContext<{ readonly queries: QueryClient }>()({ component: Outlet });

/** Everything inside the frame needs a signed-in person. */
const frame = createRoute({ getParentRoute: () => rootRoute, id: 'frame', component: Frame });
const firstArea = createRoute({ getParentRoute: () => frame, path: '/', component: FirstArea });
const me = createRoute({
  getParentRoute: () => frame,
  path: 'me',
  component: lazyRouteComponent(() => import('./screens/me/me.tsx'), 'MePage'),
});
const newWorkspace = createRoute({
  getParentRoute: () => frame,
  path: 'new-workspace',
  component: lazyRouteComponent(() => import('./screens/new-workspace/new-workspace.tsx'), 'NewWorkspace'),
});
/** The whole installation, for its operators. */
const operations = createRoute({
  getParentRoute: () => frame,
  path: 'operations',
  component: lazyRouteComponent(() => import('./screens/operations/operations.tsx'), 'Operations'),
});
const unknown = createRoute({ getParentRoute: () => frame, path: '$', component: NothingHere });

/** Everything of one workspace. Screens of an area share a lazy chunk: one line each below. */
const workspace = createRoute({
  getParentRoute: () => frame,
  path: 'w/$workspace',
  component: WorkspaceGate,
});
const home = createRoute({
  getParentRoute: () => workspace,
  path: 'home',
  component: lazyRouteComponent(() => import('./screens/home/home.tsx'), 'Home'),
});
const inbox = createRoute({
  getParentRoute: () => workspace,
  path: 'inbox',
  component: lazyRouteComponent(() => import('./screens/inbox/inbox.tsx'), 'Inbox'),
});
/** Drawn by the screen of the inbox, beside the list. */
const conversation = createRoute({ getParentRoute: () => inbox, path: '$conversation' });
const answers = createRoute({
  getParentRoute: () => workspace,
  path: 'answers',
  component: lazyRouteComponent(() => import('./screens/answers/answers.tsx'), 'Answers'),
});
const answerPage = createRoute({
  getParentRoute: () => workspace,
  path: 'answers/$message',
  component: lazyRouteComponent(() => import('./screens/answers/answer-page.tsx'), 'AnswerPage'),
});
const documents = createRoute({
  getParentRoute: () => workspace,
  path: 'knowledge/documents',
  component: lazyRouteComponent(() => import('./screens/knowledge/documents.tsx'), 'Documents'),
});
const document = createRoute({
  getParentRoute: () => workspace,
  path: 'knowledge/documents/$document',
  component: lazyRouteComponent(() => import('./screens/knowledge/document/document.tsx'), 'DocumentPage'),
});
const conflicts = createRoute({
  getParentRoute: () => workspace,
  path: 'knowledge/conflicts',
  component: lazyRouteComponent(() => import('./screens/knowledge/conflicts/conflicts.tsx'), 'Conflicts'),
});
const curated = createRoute({
  getParentRoute: () => workspace,
  path: 'knowledge/curated',
  component: lazyRouteComponent(() => import('./screens/knowledge/curated/curated.tsx'), 'Curated'),
});
const gaps = createRoute({
  getParentRoute: () => workspace,
  path: 'knowledge/gaps',
  component: lazyRouteComponent(() => import('./screens/knowledge/gaps/gaps.tsx'), 'Gaps'),
});
const evaluation = createRoute({
  getParentRoute: () => workspace,
  path: 'knowledge/evaluation',
  component: lazyRouteComponent(() => import('./screens/knowledge/evaluation/evaluation.tsx'), 'Evaluation'),
});
const tickets = createRoute({
  getParentRoute: () => workspace,
  path: 'knowledge/tickets',
  component: lazyRouteComponent(() => import('./screens/knowledge/tickets/tickets.tsx'), 'Tickets'),
});
const changes = createRoute({
  getParentRoute: () => workspace,
  path: 'knowledge/changes',
  component: lazyRouteComponent(() => import('./screens/knowledge/changes/changes.tsx'), 'Changes'),
});
const changeSet = createRoute({
  getParentRoute: () => workspace,
  path: 'knowledge/changes/$set',
  component: lazyRouteComponent(() => import('./screens/knowledge/changes/change-set.tsx'), 'ChangeSetPage'),
});
const sources = createRoute({
  getParentRoute: () => workspace,
  path: 'knowledge/sources',
  component: lazyRouteComponent(() => import('./screens/sources/sources.tsx'), 'Sources'),
});
const newSource = createRoute({
  getParentRoute: () => workspace,
  path: 'knowledge/sources/new',
  component: lazyRouteComponent(() => import('./screens/sources/new-source.tsx'), 'NewSource'),
});
const source = createRoute({
  getParentRoute: () => workspace,
  path: 'knowledge/sources/$source',
  component: lazyRouteComponent(() => import('./screens/sources/page/source.tsx'), 'SourcePage'),
});
const ledger = createRoute({
  getParentRoute: () => workspace,
  path: 'knowledge/sources/$source/page',
  component: lazyRouteComponent(() => import('./screens/sources/ledger/ledger.tsx'), 'Ledger'),
});
const channels = createRoute({
  getParentRoute: () => workspace,
  path: 'channels',
  component: lazyRouteComponent(() => import('./screens/channels/gallery.tsx'), 'Gallery'),
});
const newChannel = createRoute({
  getParentRoute: () => workspace,
  path: 'channels/new/$kind',
  component: lazyRouteComponent(() => import('./screens/channels/setup/wizard.tsx'), 'Wizard'),
});
const publicAgent = createRoute({
  getParentRoute: () => workspace,
  path: 'channels/public-agent',
  component: lazyRouteComponent(() => import('./screens/channels/public-agent.tsx'), 'PublicAgent'),
});
const channel = createRoute({
  getParentRoute: () => workspace,
  path: 'channels/$channel',
  component: lazyRouteComponent(() => import('./screens/channels/page/channel.tsx'), 'ChannelPage'),
});
const studio = createRoute({
  getParentRoute: () => workspace,
  path: 'channels/$channel/studio',
  component: lazyRouteComponent(() => import('./screens/channels/studio.tsx'), 'Studio'),
});
const insights = createRoute({
  getParentRoute: () => workspace,
  path: 'insights',
  component: lazyRouteComponent(() => import('./screens/insights/insights.tsx'), 'Insights'),
});
const counted = createRoute({
  getParentRoute: () => workspace,
  path: 'insights/conversations',
  component: lazyRouteComponent(
    () => import('./screens/insights/counted-conversations.tsx'),
    'CountedConversations',
  ),
});
const settings = createRoute({
  getParentRoute: () => workspace,
  path: 'settings',
  component: lazyRouteComponent(() => import('./screens/settings/layout.tsx'), 'SettingsLayout'),
});
const settingsPages = [
  createRoute({
    getParentRoute: () => settings,
    path: '/',
    component: lazyRouteComponent(() => import('./screens/settings/overview.tsx'), 'Settings'),
  }),
  createRoute({
    getParentRoute: () => settings,
    path: '$page',
    component: lazyRouteComponent(() => import('./screens/settings/schema-page.tsx'), 'SchemaPage'),
  }),
  createRoute({
    getParentRoute: () => settings,
    path: 'models',
    component: lazyRouteComponent(() => import('./screens/settings/models/models.tsx'), 'Models'),
  }),
  createRoute({
    getParentRoute: () => settings,
    path: 'identity',
    component: lazyRouteComponent(() => import('./screens/settings/identity.tsx'), 'Identity'),
  }),
  createRoute({
    getParentRoute: () => settings,
    path: 'keys',
    component: lazyRouteComponent(() => import('./screens/settings/keys/keys.tsx'), 'Keys'),
  }),
  createRoute({
    getParentRoute: () => settings,
    path: 'webhooks',
    component: lazyRouteComponent(() => import('./screens/settings/webhooks/webhooks.tsx'), 'Webhooks'),
  }),
  createRoute({
    getParentRoute: () => settings,
    path: 'webhooks/$webhook',
    component: lazyRouteComponent(() => import('./screens/settings/webhooks/webhook.tsx'), 'WebhookPage'),
  }),
  createRoute({
    getParentRoute: () => settings,
    path: 'skills',
    component: lazyRouteComponent(() => import('./screens/settings/skills/skills.tsx'), 'Skills'),
  }),
  createRoute({
    getParentRoute: () => settings,
    path: 'skills/$skill',
    component: lazyRouteComponent(() => import('./screens/settings/skills/skill-page.tsx'), 'SkillPage'),
  }),
  createRoute({
    getParentRoute: () => settings,
    path: 'snippets',
    component: lazyRouteComponent(() => import('./screens/settings/snippets/snippets.tsx'), 'Snippets'),
  }),
  createRoute({
    getParentRoute: () => settings,
    path: 'tags',
    component: lazyRouteComponent(() => import('./screens/settings/snippets/tags.tsx'), 'TagsPage'),
  }),
  createRoute({
    getParentRoute: () => settings,
    path: 'usage',
    component: lazyRouteComponent(() => import('./screens/settings/usage.tsx'), 'UsagePage'),
  }),
  createRoute({
    getParentRoute: () => settings,
    path: 'danger',
    component: lazyRouteComponent(() => import('./screens/settings/danger.tsx'), 'Danger'),
  }),
  createRoute({
    getParentRoute: () => settings,
    path: 'people',
    component: lazyRouteComponent(() => import('./screens/people/people.tsx'), 'People'),
  }),
  createRoute({
    getParentRoute: () => settings,
    path: 'sign-in',
    component: lazyRouteComponent(() => import('./screens/settings/sign-in-rules.tsx'), 'SignInRules'),
  }),
  createRoute({
    getParentRoute: () => settings,
    path: 'audit',
    component: lazyRouteComponent(() => import('./screens/audit/audit.tsx'), 'Audit'),
  }),
];
const unknownInWorkspace = createRoute({
  getParentRoute: () => workspace,
  path: '$',
  component: NothingHere,
});

const routeTree = rootRoute.addChildren([
  frame.addChildren([
    firstArea,
    me,
    newWorkspace,
    operations,
    workspace.addChildren([
      home,
      inbox.addChildren([conversation]),
      answers,
      answerPage,
      documents,
      document,
      curated,
      gaps,
      conflicts,
      evaluation,
      tickets,
      changes,
      changeSet,
      sources,
      newSource,
      source,
      ledger,
      channels,
      newChannel,
      publicAgent,
      channel,
      studio,
      insights,
      counted,
      settings.addChildren(settingsPages),
      unknownInWorkspace,
    ]),
    unknown,
  ]),
]);

/** The router of the app, which lives below `/dashboard`. */
export function createAppRouter(queries: QueryClient) {
  return createRouter({
    routeTree,
    basepath: '/dashboard',
    context: { queries },
    defaultPreload: 'intent',
    defaultNotFoundComponent: NothingHere,
    defaultErrorComponent: ScreenError,
    // Every value of the address is plain text, so that links can be read and written by hand.
    parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
    stringifySearch: (search) => {
      const given = Object.entries(search).flatMap(([key, value]) =>
        value === undefined || value === null || value === '' ? [] : [[key, String(value)]],
      );
      return given.length === 0 ? '' : `?${new URLSearchParams(given)}`;
    },
  });
}
