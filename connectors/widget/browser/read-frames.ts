/** The JSON of each event of a response, as it comes; `heard` at everything that comes. */
export async function* readFrames<Data>(
  response: Response,
  heard: () => void = () => {},
): AsyncGenerator<Data> {
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  let unread = '';
  while (reader !== undefined) {
    const { done, value } = await reader.read();
    if (done) return;
    heard();
    const events = (unread + decoder.decode(value, { stream: true })).split('\n\n');
    unread = events.pop() ?? '';
    for (const event of events) {
      if (!event.startsWith('data: ')) continue;
      const data: Data = JSON.parse(event.slice(6));
      yield data;
    }
  }
}
