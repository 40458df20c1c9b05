// This script prints the regular expressions that modules build when they are loaded and used. It is started with the
// root and the files.
import { join, relative } from 'node:path';

const [root = '', ...files] = process.argv.slice(2);
const recorded: { place: string; source: string; flags: string }[] = [];

globalThis.RegExp = new Proxy(RegExp, {
  construct(target, given, self) {
    const built: RegExp = Reflect.construct(target, given, self);
    recorded.push({ place: callerOf(new Error().stack ?? ''), source: built.source, flags: built.flags });
    return built;
  },
});

for (const file of files) await import(join(root, file));
// These give a shared builder its parts.
await import(join(root, 'core/answering/skills/escalate-to-human/escalate-to-human.ts'));
await import(join(root, 'core/answering/skills/collect-lead/lead-requests.ts'));
await useBuilders();
process.stdout.write(JSON.stringify(recorded));

/** Calls the functions that build an expression each time. */
async function useBuilders(): Promise<void> {
  const { markdownToHtml } = await import('../../../core/knowledge/loaders/load-markdown.ts');
  markdownToHtml('Words.');
  const { spokenText } = await import('../../../connectors/twilio/voice/speech/spoken-text.ts');
  for (const tag of ['en-US', 'en-GB', 'de-DE']) spokenText('Words.', tag);
  const { messageText } = await import('../../../connectors/discord/parse-text.ts');
  const { messageSchema } = await import('../../../connectors/discord/payloads.ts');
  const message = messageSchema.parse({ id: '1'.repeat(18), channel_id: '2'.repeat(18), content: 'Words.' });
  for (const role of [null, '22']) messageText(message, { botId: '11', role });
}

function callerOf(stack: string): string {
  const line = stack.split('\n').find((each) => each.includes(root) && !each.includes('record-expressions'));
  const [, path = '', number = ''] = /(?:file:\/\/)?(\/[^\s():]+):(\d+):\d+/.exec(line ?? '') ?? [];
  return `${relative(root, path)}:${number}`;
}
