import { queryOptions } from '@tanstack/react-query';
import type { components } from '../api-types.ts';
import { answer, api, finish } from '../client.ts';

export type Snippet = components['schemas']['Snippet'];
export interface SnippetFields {
  readonly name: string;
  readonly text: string;
  readonly tags: string[];
  /** Changes that the conversation gets together with the text. */
  readonly actions: Snippet['actions'];
}

const at = (workspace: string) => ({ params: { path: { workspace_id: workspace } } });
const snippetPath = (workspace: string, snippet: string) => ({
  params: { path: { workspace_id: workspace, snippet_id: snippet } },
});

export const snippetsQuery = (workspace: string) =>
  queryOptions({
    queryKey: ['snippets', workspace],
    queryFn: () =>
      answer(
        api.GET('/admin/v1/workspaces/{workspace_id}/snippets', {
          params: { path: { workspace_id: workspace }, query: { limit: 100 } },
        }),
      ),
  });

export const createSnippet = (workspace: string, snippet: SnippetFields) =>
  answer(api.POST('/admin/v1/workspaces/{workspace_id}/snippets', { ...at(workspace), body: snippet }));

export const changeSnippet = (workspace: string, id: string, change: SnippetFields) =>
  answer(
    api.PATCH('/admin/v1/workspaces/{workspace_id}/snippets/{snippet_id}', {
      ...snippetPath(workspace, id),
      body: change,
    }),
  );

/** Can be taken back for a minute. */
export const deleteSnippet = (workspace: string, id: string) =>
  finish(
    api.DELETE('/admin/v1/workspaces/{workspace_id}/snippets/{snippet_id}', {
      params: { ...snippetPath(workspace, id).params, query: { restorable: 'true' } },
    }),
  );

export const restoreSnippet = (workspace: string, id: string) =>
  answer(
    api.POST('/admin/v1/workspaces/{workspace_id}/snippets/{snippet_id}/restore', snippetPath(workspace, id)),
  );

export const tagsQuery = (workspace: string) =>
  queryOptions({
    queryKey: ['tags', workspace],
    queryFn: () => answer(api.GET('/admin/v1/workspaces/{workspace_id}/tags', at(workspace))),
  });

export const renameTag = (workspace: string, from: string, to: string) =>
  answer(
    api.POST('/admin/v1/workspaces/{workspace_id}/tags/rename', { ...at(workspace), body: { from, to } }),
  );

/** Can be taken back for a minute. */
export const removeTag = (workspace: string, tag: string) =>
  answer(
    api.POST('/admin/v1/workspaces/{workspace_id}/tags/remove', {
      ...at(workspace),
      body: { tag, restorable: true },
    }),
  );

export const restoreTag = (workspace: string, tag: string) =>
  answer(api.POST('/admin/v1/workspaces/{workspace_id}/tags/restore', { ...at(workspace), body: { tag } }));
