import { useLocation, useNavigate } from '@tanstack/react-router';

export const wizardSteps = ['name', 'guide', 'credentials', 'on', 'check'] as const;
export type WizardStep = (typeof wizardSteps)[number];

/** Where the wizard is: the name and the step until the channel exists, then the channel and the step. */
interface Place {
  readonly step: WizardStep;
  readonly name: string;
  readonly channel: string | null;
}

/** The place of the wizard in the address, and how to go to another. */
export function usePlace() {
  const { searchStr, pathname } = useLocation();
  const navigate = useNavigate();
  const given = new URLSearchParams(searchStr);
  const step = wizardSteps.find((each) => each === given.get('step')) ?? 'name';
  const place: Place = { step, name: given.get('name') ?? '', channel: given.get('channel') };
  const go = (change: Partial<Place>) => {
    const next = { ...place, ...change };
    const search =
      next.channel === null
        ? { step: next.step, name: next.name }
        : { step: next.step, channel: next.channel };
    void navigate({ to: pathname, search });
  };
  return { ...place, go };
}
