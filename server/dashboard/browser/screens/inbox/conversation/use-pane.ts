import { useMediaQuery } from '@mantine/hooks';
import { useSearchValues } from '../../use-search-values.ts';

/**
 * The pane of details: beside the conversation on wide screens, over it on others. The address stores whether it is
 * open.
 */
export interface Pane {
  readonly isBeside: boolean;
  readonly isOpen: boolean;
  readonly toggle: () => void;
}

export function usePane(): Pane {
  const isBeside = useMediaQuery('(min-width: 80em)', true, { getInitialValueInEffect: false });
  const { values, change } = useSearchValues();
  const isOpen = isBeside ? values.details !== 'hidden' : values.details === 'open';
  const toggle = () => {
    const next = isOpen ? (isBeside ? 'hidden' : '') : isBeside ? '' : 'open';
    void change({ details: next }, { replace: true });
  };
  return { isBeside, isOpen, toggle };
}
