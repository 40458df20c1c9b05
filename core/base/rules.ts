/** A number that decides about answers. */
export interface Rule {
  readonly value: number;
  /** The measurement or reason that chose the value. */
  readonly because: string;
}

const areas = new Map<string, Record<string, number>>();

/**
 * Returns the values of an area's rules by their names. Read a value where it is used: an evaluation may have varied it.
 */
export function defineRules<Name extends string>(
  area: string,
  rules: Readonly<Record<Name, Rule>>,
): Readonly<Record<Name, number>>;
export function defineRules(
  area: string,
  rules: Readonly<Record<string, Rule>>,
): Readonly<Record<string, number>> {
  const values = Object.fromEntries(Object.entries(rules).map(([name, { value }]) => [name, value]));
  areas.set(area, values);
  return values;
}

/** Returns all rules that were defined so far, as `area.name` with their values. */
export function listRules(): ReadonlyMap<string, number> {
  const all = [...areas].flatMap(([area, values]) =>
    Object.entries(values).map(([name, value]) => [`${area}.${name}`, value] as const),
  );
  return new Map(all);
}

/** Sets the rule `area.name`, for an evaluation in a process of its own. Returns false if there is no such rule. */
export function varyRule(path: string, value: number): boolean {
  const [area = '', name = ''] = path.split('.');
  const values = areas.get(area);
  if (values?.[name] === undefined) return false;
  values[name] = value;
  return true;
}
