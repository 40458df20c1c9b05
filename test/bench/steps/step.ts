import type { z } from 'zod';

/** A part of a measurement that has a process to itself, so that its memory is its own and it can be cut off. */
export interface Step<Input, Output> {
  readonly name: string;
  readonly input: z.ZodType<Input>;
  readonly output: z.ZodType<Output>;
  run(input: Input): Promise<Output>;
}

/** A step without its types, for the process that runs it. */
export interface AnyStep {
  readonly name: string;
  handle(input: unknown): Promise<unknown>;
}

export function defineStep<Input, Output>(step: Step<Input, Output>): Step<Input, Output> & AnyStep {
  return { ...step, handle: (input) => step.run(step.input.parse(input)) };
}
