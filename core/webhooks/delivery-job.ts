/** The id of the job that tries a delivery after so many tries: one for each, however often it is woken. */
export function deliveryJob(deliveryId: string, attempts: number): string {
  return `${deliveryId}-${attempts}`;
}
