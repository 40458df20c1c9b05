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
    summary: 'show the passages that a question finds',
    about:
      'Shows the passages of the documents that a question finds, best first, each with its score from 0 to 1 and the parts of the score. This is where to look when an answer surprises.',
    examples: [
      ['search "delivery to Germany"', 'the best passages'],
      [
        'search "refund" --top-k 20 --audience staff --json',
        'more of them, as staff sees them, for programs',
      ],
    ],
    failure: 'refused or failed; finding nothing is no failure',
  })
    .argument('<question>', 'a question or some words')
    .option(...workspaceOption)
    .option('--top-k <number>', 'how many passages, 1 to 20', parseWholeNumber)
    .option('--audience <tags>', 'search as a reader with these tags; may be repeated', parseTags)
    .action((query, { workspace, topK, audience, ...options }) =>
      commandLine.execute(options, {
        async run({ api, output }) {
          const path = `/admin/v1/workspaces/${await findWorkspace(api, workspace)}/search`;
          const found = searchResponse.parse(
            await api.call('POST', path, { body: { query, top_k: topK, audience } }),
          );
          output.result(found, () => {
            if (found.results.length === 0) output.line('No passage matches.');
            for (const [at, each] of found.results.entries()) printResult(each, at + 1, output);
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
