// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The pictures as files of their own, made by the browser.
import { runs, pictures } from "./data.js";

const largest = 16_000;  // pixels of a canvas's side that browsers draw

function save(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

const nameOf = (number, extension) => `${runs[number].kernel}-${runs[number].warp_size}.${extension}`;
const svgOf = (text) => new Blob([text], { type: "image/svg+xml" });

export function saveAnimation() {
  pictures.forEach((picture, number) => save(svgOf(picture), nameOf(number, "svg")));
}

async function pngOf(picture, isDark) {
  const still = picture.replace(/<style class="motion">.*?<\/style>/s, "")
    .replace("(prefers-color-scheme:dark)", isDark ? "all" : "not all");
  const image = new Image();
  const url = URL.createObjectURL(svgOf(still));
  image.src = url;
  await image.decode();
  const scale = Math.min(2, largest / image.width, largest / image.height);
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [image.width * scale, image.height * scale];
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(url);
  return new Promise((done) => canvas.toBlob(done, "image/png"));
}

export async function savePng(isDark) {
  for (const [number, picture] of pictures.entries()) save(await pngOf(picture, isDark), nameOf(number, "png"));
}
