import type { components, paths } from '../../../../api/api-types.ts';
import { api } from '../../../../api/client.ts';
import { problemOf, unreachable } from '../../../../api/problem.ts';
import { at, conversationPath, type DraftKind, type Place } from '../../../../api/queries/conversation.ts';
import type { SavedText } from './draft-keeper.ts';

type Schemas = components['schemas'];
export type Draft = Schemas['InboxDraft'];

type DraftBody =
  paths[`${typeof conversationPath}/draft`]['put']['requestBody']['content']['application/json'];

/** Saves a draft, also if the person leaves the page meanwhile. */
export async function saveDraft(place: Place, body: DraftBody): Promise<SavedText> {
  const put = api.PUT(`${conversationPath}/draft`, { ...at(place), body, keepalive: true });
  const { data, error, response } = await reached(put);
  if (response.ok) return { isSaved: true, draft: data ?? null };
  return { isSaved: false, draft: movedDraft(response, error) };
}

interface DraftVersion {
  readonly kind: DraftKind;
  readonly base: string;
}

/** Deletes a version of a draft. Returns the draft that another device has saved meanwhile, or null. */
export async function deleteDraft(
  place: Place,
  { kind, base: version }: DraftVersion,
): Promise<Draft | null> {
  const params = { path: at(place).params.path, query: { kind, base_updated_at: version } };
  const { error, response } = await reached(
    api.DELETE(`${conversationPath}/draft`, { params, keepalive: true }),
  );
  return response.ok ? null : movedDraft(response, error);
}

const reached = <Answer>(request: Promise<Answer>): Promise<Answer> =>
  request.catch((error: unknown) => {
    throw error instanceof TypeError ? unreachable() : error;
  });

/** Throws any other problem. */
function movedDraft(response: Response, body: Schemas['Error'] | undefined): Draft {
  const problem = problemOf(response, body);
  if (problem.code !== 'draft_moved_on' || body?.draft === undefined) throw problem;
  return body.draft;
}
