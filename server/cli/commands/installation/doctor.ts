import { z } from 'zod';
import { StartError } from '../../../../core/base/errors.ts';
import { readConfig } from '../../../../core/config/config.ts';
import { type CommandLine, type CommonOptions, createCommand } from '../../command.ts';
import { CommandError } from '../../command-error.ts';
import { type Output, toSingleLine } from '../../output.ts';

const findingResponse = z.looseObject({
  part: z.string(),
  state: z.enum(['ok', 'warn', 'fail']),
  text: z.string(),
  advice: z.string().nullable(),
});

type Finding = z.output<typeof findingResponse>;

const doctorResponse = z.looseObject({ findings: z.array(findingResponse) });

export function doctor(commandLine: CommandLine) {
  return createCommand('doctor', {
    summary: 'check every part of the installation',
    about: [
      'Checks configuration, storage, queue, workers, models, reranker, public URL and channels. Prints one line for each part:',
      'ok, warn or fail, and what to do. While a server runs, the server checks itself. Each model of a provider gets a short',
      'request, which the provider bills.',
    ].join(' '),
    examples: [
      ['doctor', 'check the installation'],
      ['doctor --json', 'the same as JSON, for a script'],
    ],
    failure: 'a part fails; a warning is not a failure',
  }).action((options) => examine(commandLine, options));
}

async function examine(commandLine: CommandLine, options: CommonOptions): Promise<void> {
  let findings: readonly Finding[] = [];
  const report = (output: Output) => printFindings(findings, output);
  try {
    await commandLine.execute(options, {
      async run({ api, output, environment }) {
        const isAlone = !api.outlivesCommand && readConfig(environment).DATABASE_URL === undefined;
        ({ findings } = doctorResponse.parse(await api.call('POST', '/admin/v1/doctor')));
        if (isAlone) findings = [noServer, ...findings.filter(({ part }) => !part.startsWith('worker '))];
        report(output);
      },
    });
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    // Without a valid configuration and a database, nothing else can be checked.
    findings = error.message
      .split('\n')
      .map((text) => ({ part: 'start', state: 'fail', text, advice: null }) as const);
    commandLine.print(options, report);
  }
  const failed = findings.filter(({ state }) => state === 'fail').length;
  if (failed > 0) {
    throw new CommandError(failed === 1 ? 'One part fails.' : `${failed} parts fail.`, {
      code: 'parts_failed',
    });
  }
}

const noServer: Finding = {
  part: 'server',
  state: 'warn',
  text: 'No server uses the data folder.',
  advice: 'Start one: npm start.',
};

function printFindings(findings: readonly Finding[], output: Output): void {
  output.result({ findings }, () => {
    for (const { part, state, text, advice } of findings) {
      const line = [`${part}:`, text, ...(advice === null ? [] : [advice])].join(' ');
      output.line(`${output.strong(state.padEnd(4))}  ${toSingleLine(line)}`);
    }
  });
}
