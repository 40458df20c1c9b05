import { useDrag, useMediaQuery, useMergedRef } from '@mantine/hooks';
import { type RefCallback, useRef } from 'react';

/** Distance in pixels after which a swipe counts. */
const MIN_DISTANCE = 64;
/** The distance up to which the element follows the finger. */
const MAX_FOLLOW = 48;

interface Swipes {
  /** Acts on a swipe towards the end of the line: to the place before. */
  readonly back?: ((target: Element) => void) | undefined;
  /** Acts on a swipe towards the start of the line: to the place behind. */
  readonly forward?: ((target: Element) => void) | undefined;
}

/**
 * Swipes of a finger on a phone, with the element that they began on. Elements that scroll sideways and text fields
 * keep their own. The element, and the elements that scroll in it, need `touch-action: pan-y pinch-zoom`.
 */
export function useSwipe(swipes: Swipes): RefCallback<HTMLElement> {
  const element = useRef<HTMLElement>(null);
  const isPhone = useMediaQuery('(max-width: 47.99em) and (pointer: coarse)', false, {
    getInitialValueInEffect: false,
  });
  const { ref } = useDrag(
    ({ movement: [across], event, last, canceled, cancel }) => {
      const { target } = event;
      if (!(target instanceof Element) || target.closest('input:not([readonly]), textarea') !== null) {
        cancel();
        return;
      }
      const isMirrored = document.documentElement.dir === 'rtl';
      const towardsEnd = isMirrored ? -across : across;
      const act = towardsEnd > 0 ? swipes.back : swipes.forward;
      const moved = target.closest<HTMLElement>('.p-row') ?? element.current;
      follow(moved, last || act === undefined ? 0 : across);
      if (last && !canceled && Math.abs(across) >= MIN_DISTANCE) act?.(target);
    },
    // Vertical scrolling never begins one.
    { axis: 'lock', axisThreshold: 8, threshold: [8, Number.POSITIVE_INFINITY], enabled: isPhone },
  );
  return useMergedRef(ref, element);
}

/** It has no state of React, which would draw the whole conversation at each step. */
function follow(element: HTMLElement | null, across: number): void {
  if (element === null) return;
  const distance = Math.sign(across) * Math.min(MAX_FOLLOW, Math.abs(across) / 2);
  element.style.translate = distance === 0 ? '' : `${distance}px 0`;
}
