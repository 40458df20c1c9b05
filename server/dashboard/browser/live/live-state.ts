import { useQuery } from '@tanstack/react-query';
import { meQuery } from '../api/queries/me.ts';

export type LiveState = 'live' | 'reconnecting' | 'polling';

const pollMs = 10_000;

/**
 * How the dashboard learns of changes. It asks every ten seconds for now; a stream of the server takes its place without a
 * change for the screens.
 */
export function useLiveState(): LiveState {
  const { isError, failureCount } = useQuery({ ...meQuery, refetchInterval: pollMs });
  return isError || failureCount > 0 ? 'reconnecting' : 'polling';
}
