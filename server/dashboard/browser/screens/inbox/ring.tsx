const length = 2 * Math.PI * 5;

/** A ring that fills up. `share`: from 0 to 1. */
export function Ring({ share }: { readonly share: number }) {
  return (
    <svg width="14" height="14" viewBox="0 0 14 14" fill="none" strokeWidth="2" aria-hidden="true">
      <circle cx="7" cy="7" r="5" stroke="currentColor" opacity="0.25" />
      <circle
        cx="7"
        cy="7"
        r="5"
        stroke="currentColor"
        strokeDasharray={`${share * length} ${length}`}
        transform="rotate(-90 7 7)"
      />
    </svg>
  );
}
