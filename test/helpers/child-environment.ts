/** Returns the environment of a program that a test starts. */
export function childEnvironment(): Readonly<Record<string, string | undefined>> {
  return { PATH: process.env.PATH };
}
