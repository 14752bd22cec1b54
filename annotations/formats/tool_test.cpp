// SPDX-License-Identifier: Apache-2.0
#include "annotations/formats/tool.h"

#include <gtest/gtest.h>

#include "annotations/formats/coco.h"
#include "annotations/formats/cvat.h"
#include "annotations/formats/label_studio.h"
#include "crema/base/error.h"
#include "crema/base/json_parse.h"

namespace crema::annotations {
namespace {

Dataset coco_from(const std::string& text) {
  Collector all;
  const Document document{"a.json", "anna", parse_json(text)};
  EXPECT_TRUE(is_coco(document)) << text;
  read_coco(document, all);
  return std::move(all).whole();
}

Dataset cvat_from(const std::string& text) {
  Collector all;
  const Document document{"a.xml", "anna", parse_xml("<annotations>" + text + "</annotations>")};
  EXPECT_TRUE(is_cvat(document)) << text;
  read_cvat(document, all);
  return std::move(all).whole();
}

Dataset label_studio_from(const std::string& text) {
  Collector all;
  const Document document{"a.json", "anna", parse_json(text)};
  EXPECT_TRUE(is_label_studio(document)) << text;
  read_label_studio(document, all);
  return std::move(all).whole();
}

std::string coco_text(const std::string& annotations,
                      const std::string& images = R"({"id":7,"file_name":"a.jpg","width":4,"height":3})") {
  return R"({"images":[)" + images + R"(],"categories":[{"id":3,"name":"cell"}],"annotations":[)" +
         annotations + "]}";
}

template <class F>
std::string refusal(F read) {
  try {
    read();
  } catch (const InputError& e) {
    return e.sentence.text();
  }
  return "nothing was refused";
}

TEST(Coco, PolygonsPlainAndCompressedRunsAreOneThing) {
  const Dataset found = coco_from(
      coco_text(R"({"id":1,"image_id":7,"category_id":3,"segmentation":[[1,0,3,0,3,2,1,2]]},)"
                R"({"id":2,"image_id":7,"category_id":3,"segmentation":{"size":[3,4],"counts":[3,2,1,2,4]}},)"
                R"({"id":3,"image_id":7,"category_id":3,"segmentation":{"size":[3,4],"counts":"32103"}},)"
                R"({"id":4,"image_id":7,"category_id":3,"segmentation":[],"bbox":[0,0,0,1]})"));
  ASSERT_EQ(found.annotators.front().objects.size(), 3);
  for (const Object& one : found.annotators.front().objects) {
    const Patch part = cropped(rasterise(one.shape, {4, 3}));
    EXPECT_EQ(std::pair(part.left, part.top), std::pair(1, 0));
    EXPECT_EQ(part.pixels, (std::vector<std::uint8_t>{1, 1, 1, 1}));
  }
  ASSERT_EQ(found.warnings.size(), 1);
  EXPECT_EQ(found.warnings[0].text(),
            "1 point, line or other shape that cannot be fused is left out (anna on a.jpg).");
}

TEST(Coco, WhatIsWrongIsRefusedWithItsPlaceAndItsValue) {
  const auto sentence = [](const std::string& annotation) {
    return refusal([&] { coco_from(coco_text(annotation)); });
  };
  const std::string start = R"({"id":1,"image_id":7,"category_id":3,"segmentation":)";
  EXPECT_EQ(sentence(start + R"({"size":[3,4],"counts":[3,2,1]}})"),
            "annotations[0]: the runs cover 6 pixels, but 4 × 3 are 12.");
  EXPECT_EQ(sentence(start + R"({"size":[4,3],"counts":[12]}})"),
            "annotations[0]: the runs are of [4, 3], but the picture has 3 rows and 4 columns.");
  EXPECT_EQ(sentence(start + "[[1,2,3]]}"),
            "annotations[0]: a polygon has 3 numbers; x and y of at least three points are expected.");
  EXPECT_EQ(
      sentence(start + "[[9,9,9,10,10,10]]}"),
      "annotations[0]: the polygon that starts at (9, 9) lies outside of picture a.jpg, which has 4 × 3 "
      "pixels; correct the size or the outline.");
  EXPECT_EQ(sentence(start + "[[1e300,2,3,4,5,6]]}"),
            "annotations[0]: a coordinate is 1e+300, but has to lie between -10000000 and 10000000.");
  EXPECT_EQ(sentence(start + "[[0,0,1,0,1,1]]}," + start + "[[0,0,1,0,1,1]]}"),
            "annotations[1]: the id 1 was used before; ids have to differ.");
  EXPECT_EQ(sentence(R"({"id":1,"image_id":8,"category_id":3,"segmentation":[]})"),
            "annotations[0]: image_id is 8, but no image has that id.");
  EXPECT_EQ(sentence(R"({"id":1,"image_id":"7","category_id":3,"segmentation":[]})"),
            "annotations[0]: image_id is \"7\", but a whole number is expected.");
  EXPECT_EQ(sentence(R"({"image_id":7,"category_id":3,"segmentation":[]})"),
            "annotations[0]: id is missing; a whole number is expected.");
  EXPECT_EQ(refusal([] { coco_from(coco_text("", R"({"id":1,"file_name":"a","width":0,"height":3})")); }),
            "images[0]: width is 0, but has to lie between 1 and 1000000.");
  for (const char* bad :
       {"[", "{\"images\":[],\"images\":[]}", "{\"a\":NaN}", "{\"a\":1e999}", "{\"a\":01x}"})
    EXPECT_THROW(parse_json(bad), InputError) << bad;
}

TEST(Coco, APictureOfTwoSizesIsRefused) {
  Collector all;
  all.picture({"a.jpg", {4, 3}, 1});
  EXPECT_EQ(
      refusal([&] {
        all.picture({"a.jpg", {3, 4}, 1});
      }),
      "picture a.jpg: has 3 × 4 pixels, but 4 × 3 elsewhere; annotations of one picture need one size.");
}

TEST(Cvat, PolygonsAndMasksInABoxAreRead) {
  const Dataset found = cvat_from(
      "<meta><job><labels><label><name>cell</name><color>#ff0000</color></label></labels></job></meta>"
      "<image id='5' name='a.png' width='4' height='3'>"
      "<polygon label='cell' points='1.0,0.0;3.0,0.0;3.0,2.0;1.0,2.0'><attribute "
      "name='x'>1</attribute></polygon>"
      "<mask label='cell' rle='1, 1, 1, 1, 0' left='0' top='1' width='2' height='2'/>"
      "<points label='cell' points='0,0'/><tag label='cell'/></image>"
      "<image id='6' name='b.png' width='4' height='3'></image>");
  ASSERT_EQ(found.annotators.size(), 1);
  EXPECT_EQ(found.annotators[0].pictures.size(), 2);
  ASSERT_EQ(found.annotators[0].objects.size(), 2);
  const Patch mask = cropped(rasterise(found.annotators[0].objects[1].shape, {4, 3}));
  EXPECT_EQ(std::pair(mask.left, mask.top), std::pair(1, 1));
  EXPECT_EQ(mask.pixels, (std::vector<std::uint8_t>{1, 1}));
  EXPECT_EQ(found.categories[0].colour, "#ff0000");
  EXPECT_EQ(found.warnings.size(), 1);
}

TEST(Cvat, WhatIsWrongIsRefused) {
  const auto sentence = [](const std::string& drawn) {
    return refusal(
        [&] { cvat_from("<image id='5' name='a.png' width='4' height='3'>" + drawn + "</image>"); });
  };
  EXPECT_EQ(sentence("<mask label='c' rle='1,2' left='0' top='0' width='2' height='2'/>"),
            "image[0]: mask[0]: the runs cover 3 pixels, but 2 × 2 are 4.");
  EXPECT_EQ(sentence("<mask label='c' rle='4' left='3' top='0' width='2' height='2'/>"),
            "image[0]: mask[0]: the mask reaches to (5, 2), but its picture has 4 × 3 pixels.");
  EXPECT_EQ(
      sentence("<polygon label='c' points='1,1;2,nan;3,3'/>"),
      "image[0]: polygon[0]: a coordinate is nan, but a number from -10000000 to 10000000 is expected.");
  EXPECT_EQ(sentence("<polygon points='1,1;2,2;3,1'/>"), "image[0]: polygon[0]: label is missing.");
  EXPECT_EQ(refusal([] { cvat_from("<track id='0' label='c'/>"); }),
            "holds tracks of a video; export the job as CVAT for images 1.1.");
}

const char* const kTask =
    R"([{"id":4,"data":{"image":"/data/a.jpg"},"annotations":[)"
    R"({"id":1,"completed_by":{"id":9,"email":"anna@example.org"},"result":[{"id":"x","type":"polygonlabels",)"
    R"("original_width":4,"original_height":2,"value":{"points":[[25,0],[75,0],[75,100],[25,100]],)"
    R"("polygonlabels":["cell"]}}]},)"
    R"({"id":2,"completed_by":3,"result":[]},{"id":3,"completed_by":4,"was_cancelled":true,"result":[]}]}])";

TEST(LabelStudio, EachAnnotatorOfATaskIsOneAndNothingDrawnIsAnAnswer) {
  const Dataset found = label_studio_from(kTask);
  ASSERT_EQ(found.annotators.size(), 2);
  EXPECT_EQ(found.annotators[0].name, "anna@example.org");
  EXPECT_EQ(found.annotators[1].name, "3");
  EXPECT_EQ(found.annotators[1].pictures.size(), 1);
  EXPECT_EQ(found.pictures[0].size, (Extent{4, 2}));
  EXPECT_EQ(area_of(rasterise(found.annotators[0].objects.at(0).shape, {4, 2})), 4);
  EXPECT_EQ(found.warnings.size(), 1);
}

TEST(LabelStudio, WhatIsWrongIsRefused) {
  const auto sentence = [](std::string from, const std::string& to) {
    std::string text = kTask;
    text.replace(text.find(from), from.size(), to);
    return refusal([&] { label_studio_from(text); });
  };
  EXPECT_EQ(sentence("\"completed_by\":3", R"("completed_by":{"email":"anna@example.org"})"),
            "task[0]: annotations[1]: picture /data/a.jpg: anna@example.org has annotated it twice; keep one "
            "of both.");
  EXPECT_EQ(sentence("\"original_width\":4", "\"original_width\":-4"),
            "task[0]: annotations[0]: original_width is -4, but has to lie between 1 and 1000000.");
  EXPECT_EQ(sentence("\"points\":[[25,0],[75,0],[75,100],[25,100]]", "\"rle\":[0,0,0,9]"),
            "task[0]: annotations[0]: result[0]: the brush has 9 samples, but 4 × 2 pixels have 32.");
  EXPECT_EQ(
      sentence("\"type\":\"poly", "\"image_rotation\":90,\"type\":\"poly"),
      "task[0]: annotations[0]: result[0]: the picture was turned while it was annotated, which is not read; "
      "turn it back.");
}

TEST(LabelStudio, RegionsOnTwoPicturesOfOneTaskAreRefused) {
  const std::string region =
      R"({"id":"y","type":"polygonlabels","to_name":"right","original_width":4,"original_height":2,)"
      R"("value":{"points":[[25,0],[75,0],[75,100]],"polygonlabels":["cell"]}})";
  const auto with = [&](const std::string& first) {
    std::string text = kTask;
    text.replace(text.find("\"type\""), 6, "\"to_name\":\"" + first + "\",\"type\"");
    return text.replace(text.find("}}]},"), 5, "}}," + region + "]},");
  };
  EXPECT_EQ(label_studio_from(with("right")).annotators.at(0).objects.size(), 2);
  EXPECT_EQ(
      refusal([&] { label_studio_from(with("left")); }),
      "task[0]: annotations[0]: there are regions on left and on right, but one picture for each task is "
      "read; make tasks of one picture.");
}

TEST(Tools, WhatEachWritesItReadsAgain) {
  const Patch mask{1, 1, {2, 2}, {1, 0, 1, 1}};
  const Consensus consensus{{{"a.jpg", {5, 4}, 7, "image"}, {"b.jpg", {2, 2}, 8, "image"}},
                            {{"ce<ll", 3, "#00ff00"}},
                            {{0, 0, runs_of(mask, Runs::Order::rows)}},
                            "by \"crema\""};
  for (const Tool& tool : tools()) {
    SCOPED_TRACE(tool.name);
    const std::string text = tool.write(consensus);
    Document document{"x", "crema", {}};
    if (text.front() == '<')
      document.content = parse_xml(text);
    else
      document.content = parse_json(text);
    ASSERT_TRUE(tool.recognises(document));
    Collector all;
    tool.read(document, all);
    const Dataset back = std::move(all).whole();
    EXPECT_EQ(back.pictures.size(), 2);
    EXPECT_EQ(back.categories.at(0).name, "ce<ll");
    ASSERT_EQ(back.annotators.at(0).objects.size(), 1);
    const Patch again = cropped(rasterise(back.annotators[0].objects[0].shape, {5, 4}));
    EXPECT_EQ(std::pair(again.left, again.top), std::pair(1, 1));
    EXPECT_EQ(again.pixels, mask.pixels);
  }
}

}  // namespace
}  // namespace crema::annotations
