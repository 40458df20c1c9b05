import { buildProgram } from './build-program.ts';
import { carryOut, type Surroundings } from './carry-out.ts';
import { Output } from './output/output.ts';
import { reportError } from './report-error.ts';

/** Does what the arguments say. Gives the exit code: 0 done, 1 refused or failed, 2 wrong usage, 130 stopped by the person. */
export async function doCommand(args: readonly string[], surroundings: Surroundings): Promise<number> {
  const { stdout, stderr } = surroundings.streams;
  const program = buildProgram({
    carryOut: (options, work) => carryOut(options, work, surroundings),
    tell: (options, say) => say(new Output(surroundings.streams, { json: options.json === true })),
    help: (text) => stdout.write(text),
  });
  try {
    await program.parseAsync([...args], { from: 'user' });
    return 0;
  } catch (error) {
    return reportError(error, (text) => stderr.write(text));
  }
}
