import { createSpotlight } from '@mantine/spotlight';

/** Whether the command menu is open, apart from the menu itself: its code loads when it is opened. */
export const [commandStore, commandMenu] = createSpotlight();
