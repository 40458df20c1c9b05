import { z } from 'zod';
import type { CommandLine } from '../command.ts';
import { createCommand, parseTags, parseWholeNumber } from '../command.ts';
import { findWorkspace, workspaceOption } from '../find-workspace.ts';
import type { Output } from '../output.ts';
import { toSingleLine } from '../output.ts';

const resultResponse = z.looseObject({
  title: z.string().nullable(),
  url: z.string().nullable(),
  chunk: z.string(),
  score: z.number(),
  parts: z.record(z.string(), z.number()),
});

type Result = z.output<typeof resultResponse>;

const searchResponse = z.looseObject({ results: z.array(resultResponse) });

export function search(commandLine: CommandLine) {
  return createCommand('search', {
    summary: 'show the passages that match a question',
    about:
      'Shows the passages of the documents that match a question, best first, each with its score from 0 to 1 and the parts of the score. Use it to find out why an answer is unexpected.',
    examples: [
      ['search "delivery to Germany"', 'show the best passages'],
      ['search "refund" --top-k 20 --audience staff --json', 'more passages, as staff sees them, as JSON'],
    ],
    failure: 'the command failed; no match is not a failure',
  })
    .argument('<question>', 'a question or search words')
    .option(...workspaceOption)
    .option('--top-k <number>', 'maximum number of passages, 1 to 20', parseWholeNumber)
    .option('--audience <tags>', 'search as a reader with these tags; repeatable', parseTags)
    .action((query, { workspace, topK, audience, ...options }) =>
      commandLine.execute(options, {
        async run({ api, output }) {
          const path = `/admin/v1/workspaces/${await findWorkspace(api, workspace)}/search`;
          const found = searchResponse.parse(
            await api.call('POST', path, { body: { query, top_k: topK, audience } }),
          );
          output.result(found, () => {
            if (found.results.length === 0) output.line('No passage matches the question.');
            for (const [at, result] of found.results.entries()) printResult(result, at + 1, output);
          });
        },
      }),
    );
}

function printResult({ title, url, chunk, score, parts }: Result, position: number, output: Output): void {
  const heading = `${position}. ${score.toFixed(3)}  ${toSingleLine(title ?? 'Untitled')}`;
  const evidence = Object.entries(parts).map(([name, value]) => `${name} ${value.toFixed(3)}`);
  output.line(`${output.strong(heading)}${url === null ? '' : `  ${toSingleLine(url)}`}`);
  output.line(`   ${evidence.join('  ')}`);
  output.line(`   ${toSingleLine(chunk)}`);
  output.line();
}
