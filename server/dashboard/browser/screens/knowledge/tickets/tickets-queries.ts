import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { components } from '../../../api/api-types.ts';
import { answer, api, finish } from '../../../api/client.ts';
import { sendFile } from '../../../api/send-file.ts';

type Schemas = components['schemas'];
export type TicketImport = Schemas['TicketImport'];
export type ReportedImport = Schemas['ReportedTicketImport'];
export type ImportedTicket = Schemas['ImportedTicket'];
export type Verdict = NonNullable<ImportedTicket['verdict']>;
export type Judgement = NonNullable<ImportedTicket['judgement']>;

const base = '/admin/v1/workspaces/{workspace_id}/ticket-imports';
const pageSize = 30;
const POLL_MS = 1_500;
const keyOf = (workspace: string) => ['ticket-imports', workspace] as const;

export interface Place {
  readonly workspace: string;
  readonly id: string;
}

const pathOf = ({ workspace, id }: Place) => ({ workspace_id: workspace, import_id: id });

export function isGoing({ state }: Pick<TicketImport, 'state'>): boolean {
  return state === 'uploading' || state === 'reading' || state === 'answering';
}

/** The newest imports. */
export const importsQuery = (workspace: string) =>
  queryOptions({
    queryKey: [...keyOf(workspace), 'list'],
    queryFn: ({ signal }) =>
      answer(api.GET(base, { params: { path: { workspace_id: workspace }, query: { limit: 30 } }, signal })),
    refetchInterval: ({ state }) => (state.data?.imports.some(isGoing) === true ? POLL_MS : false),
  });

/** An import with its report, asked for again while it is going. */
export const importQuery = (place: Place) =>
  queryOptions({
    queryKey: [...keyOf(place.workspace), place.id],
    queryFn: ({ signal }) =>
      answer(api.GET(`${base}/{import_id}`, { params: { path: pathOf(place) }, signal })),
    refetchInterval: ({ state }) => (state.data !== undefined && isGoing(state.data) ? POLL_MS : false),
  });

/** The tickets of a verdict, newest first, in pages. */
export const ticketsQuery = (place: Place, verdict: Verdict) =>
  infiniteQueryOptions({
    queryKey: [...keyOf(place.workspace), place.id, 'tickets', verdict],
    queryFn: ({ pageParam, signal }) =>
      answer(
        api.GET(`${base}/{import_id}/tickets`, {
          params: {
            path: pathOf(place),
            query: { limit: pageSize, verdict, ...(pageParam !== '' && { cursor: pageParam }) },
          },
          signal,
        }),
      ),
    initialPageParam: '',
    getNextPageParam: ({ pagination }) => pagination.next_cursor,
  });

/** The next tickets of the sample that nobody has judged. */
export const unjudgedQuery = (place: Place) =>
  queryOptions({
    queryKey: [...keyOf(place.workspace), place.id, 'unjudged'],
    queryFn: ({ signal }) =>
      answer(api.GET(`${base}/{import_id}/unjudged`, { params: { path: pathOf(place) }, signal })),
  });

export interface Judging {
  readonly ticket: string;
  readonly judgement: Judgement | null;
}

export function useJudge(place: Place) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ ticket, judgement }: Judging) =>
      answer(
        api.PUT(`${base}/{import_id}/tickets/{ticket_id}/judgement`, {
          params: { path: { ...pathOf(place), ticket_id: ticket } },
          body: { judgement },
        }),
      ),
    onSettled: () => client.invalidateQueries({ queryKey: [...keyOf(place.workspace), place.id] }),
  });
}

export function useCancelImport(place: Place) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => finish(api.POST(`${base}/{import_id}/cancel`, { params: { path: pathOf(place) } })),
    onSettled: () => client.invalidateQueries({ queryKey: keyOf(place.workspace) }),
  });
}

export function useDeleteImport(place: Place) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => finish(api.DELETE(`${base}/{import_id}`, { params: { path: pathOf(place) } })),
    onSettled: () => client.invalidateQueries({ queryKey: [...keyOf(place.workspace), 'list'] }),
  });
}

interface NewImport {
  readonly file: File;
  readonly model: string | null;
  readonly onProgress: (share: number) => void;
}

export function useImportTickets(workspace: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ model, ...sent }: NewImport) => {
      const query = model === null ? '' : `?${new URLSearchParams({ model })}`;
      const path = `/admin/v1/workspaces/${workspace}/ticket-imports${query}`;
      return sendFile({ ...sent, path, method: 'POST', signal: new AbortController().signal });
    },
    onSettled: () => client.invalidateQueries({ queryKey: keyOf(workspace) }),
  });
}
