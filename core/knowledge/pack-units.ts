import type { PassageSize, TextUnit } from './text-unit.ts';

/** The share of its room that a passage should fill: about 850 of 1,000 characters. */
const TARGET_FILL = 0.85;
/** A passage below this is a fragment that says too little to be found or quoted. */
const FRAGMENT_CHARACTERS = 200;
const FRAGMENT_FILL = 0.25;
const FRAGMENT_COST = 1;
/** Of parting a text from what it leads on to. */
const LEADING_COST = 0.5;

interface Plan {
  readonly cost: number;
  /** Index of the first unit of the last passage. */
  readonly from: number;
}

/**
 * Joins the units of a section to passages: of all ways to do so, the one whose passages are nearest to the target
 * size, are no fragments, and part where the text parts. A section that is no larger than a fragment stays one.
 */
export function packUnits(units: readonly TextUnit[], size: PassageSize): readonly string[] {
  const pieces = units.map((unit) => size.countPieces(unit.text));
  const plans: Plan[] = [{ cost: 0, from: 0 }];
  for (let end = 1; end <= units.length; end += 1) plans.push(bestPlan(units, pieces, { end, plans, size }));
  const passages: string[] = [];
  for (let end = units.length; end > 0; ) {
    const from = plans[end]?.from ?? 0;
    passages.push(joinUnits(units.slice(from, end)));
    end = from;
  }
  return passages.reverse();
}

interface Search {
  /** Number of units to be packed. */
  readonly end: number;
  /** The best plan for each smaller number. */
  readonly plans: readonly Plan[];
  readonly size: PassageSize;
}

/** Tries every size of the last passage, from one unit to as many as fit. */
function bestPlan(units: readonly TextUnit[], pieces: readonly number[], { end, plans, size }: Search): Plan {
  let best: Plan = { cost: Number.POSITIVE_INFINITY, from: end - 1 };
  let characters = 0;
  let pieceCount = 0;
  for (let from = end - 1; from >= 0; from -= 1) {
    const unit = units[from];
    const before = plans[from];
    if (unit === undefined || before === undefined) break;
    characters += unit.text.length;
    pieceCount += pieces[from] ?? 0;
    const fill = Math.max(characters / size.maxCharacters, pieceCount / size.maxPieces);
    if (fill > 1 && from < end - 1) break;
    const cost = before.cost + passageCost(fill, characters) + breakCost(units, from);
    if (cost < best.cost) best = { cost, from };
    characters += unit.separator.length;
  }
  return best;
}

function passageCost(fill: number, characters: number): number {
  const fragment = characters < FRAGMENT_CHARACTERS && fill < FRAGMENT_FILL;
  return (1 - fill / TARGET_FILL) ** 2 + (fragment ? FRAGMENT_COST : 0);
}

function breakCost(units: readonly TextUnit[], from: number): number {
  const previous = units[from - 1];
  if (previous === undefined) return 0;
  return (units[from]?.breakCost ?? 0) + (previous.leadsOn ? LEADING_COST : 0);
}

function joinUnits(units: readonly TextUnit[]): string {
  return units.map((unit, index) => (index === 0 ? unit.text : unit.separator + unit.text)).join('');
}
