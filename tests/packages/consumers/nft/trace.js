import('@vercel/nft').then(async ({ nodeFileTrace }) => {
  const { fileList } = await nodeFileTrace(['server.mjs']);
  console.log(JSON.stringify([...fileList]));
});
