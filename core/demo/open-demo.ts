import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Logger } from '../base/log.ts';
import { showProgress } from '../base/progress.ts';
import type { Channels } from '../channels/channels.ts';
import type { ConnectorRegistry } from '../channels/connector-registry.ts';
import type { Config } from '../config/config.ts';
import type { Actor } from '../contract/actor.ts';
import { pageChannel } from '../contract/conversation-values.ts';
import type { DocumentRecord } from '../knowledge/documents/document.ts';
import { type Documents, waitUntilIndexed } from '../knowledge/documents/documents.ts';
import { Authority } from '../members/authority.ts';
import { readSecret } from '../secrets/installation.ts';
import type { Settings } from '../storage/settings.ts';
import type { ApiKeys } from '../workspaces/keys/api-keys.ts';
import { DEMO_WORKSPACE_SETTING, type Workspace, type Workspaces } from '../workspaces/workspaces.ts';
import type { DemoIndexing } from './demo-indexing.ts';

interface Demo {
  readonly workspaceId: string;
  readonly documentCount: number;
  /** Set by the start that creates the key; afterwards the key is only in `keyFile`. */
  readonly newKey: string | null;
  readonly keyFile: string;
  readonly question: string;
  /** Slug of the demo page, such as `demo`; null if there is no page. */
  readonly slug: string | null;
}

interface DemoDependencies {
  readonly config: Config;
  readonly settings: Settings;
  readonly workspaces: Workspaces;
  readonly apiKeys: ApiKeys;
  readonly channels: Channels;
  readonly connectors: ConnectorRegistry;
  readonly documents: Documents;
  readonly log: Logger;
  readonly demo: DemoIndexing;
}

const pageSchema = z.object({ slug: z.string() });

/**
 * Creates the demo workspace from the bundled help centre on an installation without workspaces, and waits until it is
 * indexed. On later starts returns the existing one. Returns null if it was removed or never created.
 */
export async function openDemo(dependencies: DemoDependencies): Promise<Demo | null> {
  const { demo } = dependencies;
  demo.begin();
  try {
    return await findOrCreate(dependencies);
  } finally {
    demo.end();
  }
}

async function findOrCreate(dependencies: DemoDependencies): Promise<Demo | null> {
  const workspaceId = await findWorkspace(dependencies);
  if (workspaceId === null) return null;
  dependencies.demo.name(workspaceId);
  const documentCount = await addHelpCentre(dependencies, workspaceId);
  const keyFile = join(dependencies.config.DATA_DIR, 'demo-key');
  // The key comes last, so that a script that waits for its file gets an answer to its first question.
  const newKey =
    readSecret(dependencies.config.DATA_DIR, 'demo-key') === null
      ? await createKey(dependencies, workspaceId)
      : null;
  if (newKey !== null) {
    // With PostgreSQL the folder may not exist yet.
    await mkdir(dependencies.config.DATA_DIR, { recursive: true, mode: 0o700 });
    await writeFile(keyFile, `${newKey}\n`, { mode: 0o600 });
  }
  const slug = await findPage(dependencies, workspaceId);
  return { workspaceId, documentCount, newKey, keyFile, question: demoQuestions[0] ?? '', slug };
}

async function findWorkspace(dependencies: DemoDependencies): Promise<string | null> {
  const { settings, workspaces } = dependencies;
  const storedId = await settings.get(DEMO_WORKSPACE_SETTING);
  if (storedId !== null) return (await workspaces.find(storedId))?.id ?? null;
  if ((await workspaces.list({ limit: 1 })).items.length > 0) return null;
  const { workspace } = await workspaces.create({ name: demoWorkspaceName });
  await settings.set(DEMO_WORKSPACE_SETTING, workspace.id);
  await createPage(dependencies, workspace);
  return workspace.id;
}

/** Creates a hosted page, unless this process does not load that channel. */
async function createPage({ channels, connectors }: DemoDependencies, workspace: Workspace): Promise<void> {
  if (connectors.findConnector(pageChannel) === undefined) return;
  await channels.create(Authority.operator(workspace), {
    channel: pageChannel,
    name: 'Demo page',
    credentials: {},
    settings: { slug: 'demo', suggestions: demoQuestions.slice(0, 3) },
    enabled: true,
  });
}

async function findPage({ channels }: DemoDependencies, workspaceId: string): Promise<string | null> {
  const { items } = await channels.list(workspaceId, { limit: 100 });
  // The list begins with the newest channel, and the demo's own page is the oldest.
  const page = items.findLast(({ channel, enabled }) => channel === pageChannel && enabled);
  return page === undefined ? null : (pageSchema.safeParse(page.settings).data?.slug ?? null);
}

async function createKey({ apiKeys }: DemoDependencies, workspaceId: string): Promise<string> {
  return (await apiKeys.create(workspaceId, { name: 'Demo' })).value;
}

/** Adds all pages to a workspace. Unchanged documents are skipped, so this also completes an interrupted start. */
export async function addDemoDocuments(
  documents: Pick<Documents, 'add'>,
  { workspaceId, actor }: { readonly workspaceId: string; readonly actor?: Actor },
): Promise<readonly DocumentRecord[]> {
  const added = [];
  for (const fileName of (await readdir(demoHelpCentre)).sort()) {
    const bytes = await readFile(new URL(fileName, demoHelpCentre));
    added.push(await documents.add({ workspaceId, bytes, fileName, origin: 'demo', actor }));
  }
  return added;
}

async function addHelpCentre({ documents }: DemoDependencies, workspaceId: string): Promise<number> {
  const added = await addDemoDocuments(documents, { workspaceId });
  const progress = showProgress('Indexing the demo help centre', added.length);
  for (const [index, document] of added.entries()) {
    await waitUntilIndexed(documents, { workspaceId, documentId: document.id });
    progress.update(index + 1);
  }
  progress.stop();
  return added.length;
}

/** Folder with the help pages of a fictional company: Markdown, HTML and one PDF. */
export const demoHelpCentre = new URL('./help-centre/', import.meta.url);

const demoWorkspaceName = 'Pottle & Sprig';

/** Questions that the pages answer, as suggestions for new operators. */
export const demoQuestions: readonly string[] = [
  'How much does delivery to Germany cost?',
  'What does the Family plan include?',
  'What does a blinking red light mean?',
];
