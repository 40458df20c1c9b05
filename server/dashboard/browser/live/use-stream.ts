import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Problem } from '../api/problem.ts';
import { listsKey } from '../api/queries/inbox.ts';
import { meQuery } from '../api/queries/me.ts';
import { keepFrame, resetLive, setLiveState, useLiveState } from './live-state.ts';
import { OneStream } from './one-stream.ts';
import { Refetcher } from './topics.ts';

const pollMs = 10_000;

/** Keeps everything on the screen current for one workspace. Use it once, in the frame. */
export function useStream(workspace: string | null): void {
  const client = useQueryClient();
  const state = useLiveState();
  useEffect(() => {
    if (workspace === null) return;
    const refetcher = new Refetcher(client, workspace);
    const stream = new OneStream({
      workspace,
      onState: setLiveState,
      onFrame: (frame, isLeader) => {
        keepFrame(frame, isLeader);
        if (frame.event === 'hello') refetcher.all();
        else if (frame.event === 'signed_out') void client.invalidateQueries({ queryKey: meQuery.queryKey });
        else refetcher.take(frame);
      },
      // If the session has ended, the page goes to sign-in from here.
      isReachable: () =>
        client.fetchQuery({ ...meQuery, staleTime: 0, retry: false }).then(
          () => true,
          (error: unknown) => error instanceof Problem && error.status > 0,
        ),
    });
    stream.start();
    return () => {
      stream.stop();
      refetcher.stop();
      resetLive();
    };
  }, [client, workspace]);
  useEffect(() => {
    if (state === 'live' || state === 'connecting' || workspace === null) return;
    const refetcher = new Refetcher(client, workspace);
    const timer = setInterval(() => {
      void client.invalidateQueries({ queryKey: meQuery.queryKey });
      // Their interval is that of the state in which they were read.
      void client.invalidateQueries({ queryKey: listsKey(workspace) });
      refetcher.all();
    }, pollMs);
    return () => {
      clearInterval(timer);
      refetcher.stop();
    };
  }, [client, state, workspace]);
}
