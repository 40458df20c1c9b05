export { runHousekeeping as housekeeping } from '../core/housekeeping/run-housekeeping.ts';
