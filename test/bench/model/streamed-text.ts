import { z } from 'zod';

const ours = z.object({ token: z.string() }).transform(({ token }) => token);
const openAis = z
  .object({ choices: z.tuple([z.object({ delta: z.object({ content: z.string() }) })]) })
  .transform(({ choices: [{ delta }] }) => delta.content);
const piece = z.union([ours, openAis]).catch('');

/** Returns the words of an answer in server-sent events, of Parley's or OpenAI's dialect. */
export function streamedText(events: string): string {
  const lines = events.split('\n').filter((line) => line.startsWith('data: {') && line.endsWith('}'));
  return lines.map((line) => piece.parse(JSON.parse(line.slice('data: '.length)))).join('');
}
