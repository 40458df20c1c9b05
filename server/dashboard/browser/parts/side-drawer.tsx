import { Drawer } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTexts } from '../texts/texts.tsx';

interface SideDrawerProps {
  readonly opened: boolean;
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** A form at the end side of a list, which stays in sight. Esc closes it. */
export function SideDrawer({ opened, title, onClose, children }: SideDrawerProps) {
  const { texts } = useTexts();
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      title={title}
      position="right"
      size={440}
      padding="lg"
      overlayProps={{ backgroundOpacity: 0.2 }}
      transitionProps={{ duration: 200 }}
      closeButtonProps={{ 'aria-label': texts.frame.close }}
      styles={{
        content: { background: 'var(--p-panel)' },
        header: { background: 'var(--p-panel)' },
        title: { fontWeight: 600, fontSize: 15 },
      }}
    >
      {children}
    </Drawer>
  );
}
