'use client';

import Link from 'next/link';
import { usePathname } from 'next/navigation';

const pages = ['/', '/second', '/third'];

export function Navigation() {
  const next = pages.indexOf(usePathname()) + 1;
  return (
    <Link id="next" href={pages[next % pages.length]}>
      Next
    </Link>
  );
}
