import type { ServerResponse } from 'node:http';

/** A file of a message, as Discord describes it. */
export interface DiscordFile {
  readonly id: string;
  readonly filename: string;
  readonly content_type: string;
  readonly size: number;
  readonly url: string;
  readonly proxy_url: string;
}

/** The addresses of files at Discord. Each is valid until a message contains a fresh one. */
export function discordFiles(home: () => string) {
  const bodies = new Map<string, string>();
  let told = 0;

  function tell(file: Omit<DiscordFile, 'url' | 'proxy_url'>): DiscordFile {
    told += 1;
    const url = `${home()}/attachments/${file.id}/${file.filename}?hm=${told}`;
    bodies.set(new URL(url).pathname + new URL(url).search, bodies.get(file.id) ?? '');
    return { ...file, url, proxy_url: url };
  }

  return {
    keep(id: string, filename: string, { type = 'text/plain', body = '' } = {}): DiscordFile {
      bodies.set(id, body);
      return tell({ id, filename, content_type: type, size: body.length });
    },
    /** Returns the same files with fresh addresses; the earlier ones expire. */
    freshened(files: readonly DiscordFile[]): readonly DiscordFile[] {
      for (const address of bodies.keys()) if (address.startsWith('/')) bodies.delete(address);
      return files.map(({ url: _url, proxy_url: _proxy, ...file }) => tell(file));
    },
    /** Answers a request for the address of a file. */
    hand(address: string, response: ServerResponse): void {
      const body = bodies.get(address);
      if (body === undefined) response.writeHead(404).end('This content is no longer available.');
      else response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(body);
    },
  };
}

export type DiscordFiles = ReturnType<typeof discordFiles>;
