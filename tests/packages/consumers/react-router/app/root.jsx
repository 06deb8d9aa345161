import 'multihead-attention/elements';
import { Link, Links, Meta, Outlet, Scripts, useLocation } from 'react-router';

const pages = ['/', '/second', '/third'];

export const meta = () => [{ title: 'Attention' }];

export default function App() {
  const { pathname } = useLocation();
  const next = pages.indexOf(pathname.replace(/(?<=.)\/$/, '')) + 1;
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <link rel="icon" href="data:," />
        <Meta />
        <Links />
      </head>
      <body>
        <Link id="next" to={pages[next % pages.length]}>
          Next
        </Link>
        <Outlet />
        <Scripts />
      </body>
    </html>
  );
}
