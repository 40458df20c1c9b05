import { ConnectionError, ParleyError } from './errors.ts';

/** Yields the data of each event. Other lines keep the connection alive. */
export async function* readEvents(
  response: Response,
  signal: AbortSignal,
): AsyncGenerator<string, void, undefined> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  if (reader === undefined) throw new ConnectionError('invalid_response', undefined);
  const cancel = () => void reader.cancel(signal.reason).catch(() => undefined);
  signal.addEventListener('abort', cancel, { once: true });
  if (signal.aborted) cancel();
  try {
    let rest = '';
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const lines = (rest + value).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) if (line.startsWith('data: ')) yield line.slice('data: '.length);
    }
  } catch (error) {
    signal.throwIfAborted();
    throw error instanceof ParleyError ? error : new ConnectionError('connection_failed', error);
  } finally {
    signal.removeEventListener('abort', cancel);
    await reader.cancel().catch(() => undefined);
  }
}
