// SPDX-License-Identifier: Apache-2.0
#include "files/dicom/elements/elements.h"

#include "files/dicom/testing.h"

namespace crema::files::testing {
namespace {

using dicom::Element;
using dicom::Path;

constexpr Tag kOuter = 0x00080100, kInner = 0x00080101, kLeaf = 0x00080102, kLast = 0x00090001;

/// The values in their order, each with the depth at which it lies.
std::string walked(const Bytes& data, std::string_view syntax = dicom::kExplicitLittle,
                   const std::vector<Tag>& wanted = {kOuter}) {
  const Folder folder;
  const Source source(folder.put("a.dcm", dicom_file(data, syntax)));
  dicom::ElementReader reader(source);
  std::string text;
  try {
    std::int64_t first = 0;
    const std::string found = dicom::read_meta(reader, first);
    walk(reader, first, found, wanted,
         {[&](const Path& path, const Element& own) {
            text += std::to_string(path.size()) + dicom::tag_text(own.tag);
          },
          [&](const Path&) { text += "|"; }});
  } catch (const InputError& error) {
    return error.what();
  }
  return text;
}

TEST(DicomElements, SequencesOfKnownAndUnknownLengthAreTheSame) {
  const Bytes leaf = number(kLeaf, 3), last = number(kLast, 4);
  const std::string wanted = "|1(0008,0102)|1(0008,0102)0(0009,0001)";
  EXPECT_EQ(walked(joined({sequence(kOuter, joined({item(leaf), item(leaf)})), last})), wanted);
  EXPECT_EQ(walked(joined({open_sequence(kOuter, joined({open_item(leaf), item(leaf)})), last})), wanted);
  EXPECT_EQ(walked(joined({open_sequence(kOuter, joined({open_item(leaf), item(leaf)})), last}),
                   dicom::kExplicitLittle, {}),
            wanted);
  EXPECT_EQ(walked(joined({sequence(kOuter, item(leaf)), last}), dicom::kExplicitLittle, {}),
            "0(0008,0100)0(0009,0001)");
}

TEST(DicomElements, ImplicitOnesAreEnteredByTheirTags) {
  const Bytes leaf = element(kLeaf, "", little(3, 2));
  EXPECT_EQ(walked(element(kOuter, "", item(leaf)), dicom::kImplicitLittle), "|1(0008,0102)");
}

TEST(DicomElements, UnknownOnesOfUnknownLengthAreImplicit) {
  const Bytes inside = open_item(element(kLeaf, "", little(3, 2)));
  const Bytes unknown = joined({tag_bytes(kInner), Bytes{'U', 'N', 0, 0}, little(0xFFFFFFFF, 4), inside,
                                tag_bytes(dicom::kSequenceEnd), Bytes(4)});
  EXPECT_EQ(walked(joined({unknown, number(kLast, 1)})), "|1(0008,0102)0(0009,0001)");
}

TEST(DicomElements, NestingIsBounded) {
  Bytes nested = number(kLeaf, 1);
  for (std::size_t depth = 0; depth < dicom::kMaxDepth; ++depth)
    nested = open_sequence(kOuter, open_item(nested));
  EXPECT_FALSE(has(walked(nested), "deep"));
  EXPECT_TRUE(has(walked(open_sequence(kOuter, open_item(nested))), "deep"));
}

TEST(DicomElements, DamageIsRefused) {
  EXPECT_TRUE(has(walked(joined({number(kLast, 1), number(kLeaf, 1)})), "out of order or duplicated"));
  EXPECT_TRUE(has(walked(joined({number(kLast, 1), number(kLast, 1)})), "duplicated"));
  EXPECT_TRUE(has(walked(cut(number(kLeaf, 1), 9)), "declares 2 bytes"));
  EXPECT_TRUE(has(walked(cut(number(kLeaf, 1), 7)), "starts at byte"));
  EXPECT_TRUE(has(walked(element(kLeaf, "u?", little(1, 2))), "no kind of value"));
  EXPECT_TRUE(has(walked(sequence(kOuter, number(kLeaf, 1))), "damaged"));
  const Bytes end = joined({tag_bytes(dicom::kItemEnd), Bytes(4)});
  EXPECT_TRUE(has(walked(sequence(kOuter, end)), "where it is not allowed"));
  EXPECT_TRUE(has(walked(open_sequence(kOuter, end)), "where it is not allowed"));
  EXPECT_TRUE(has(walked(joined({number(kLeaf, 1), end})), "where it is not allowed"));
  Bytes beyond = sequence(kOuter, item(number(kLeaf, 1)));
  beyond[16] = 200;  // the item's length
  EXPECT_TRUE(has(walked(beyond), "declares 200 bytes"));
  const Bytes endless = joined({tag_bytes(kLeaf), Bytes{'O', 'B', 0, 0}, little(0xFFFFFFFF, 4)});
  EXPECT_TRUE(has(walked(endless), "no length"));
}

TEST(DicomElements, AFileWithoutTransferSyntaxIsRefused) {
  const Folder folder;
  const Source source(folder.put("a.dcm", joined({Bytes(128), Bytes{'D', 'I', 'C', 'M'}, number(kLeaf, 1)})));
  dicom::ElementReader reader(source);
  std::int64_t first = 0;
  EXPECT_THROW(dicom::read_meta(reader, first), InputError);
}

}  // namespace
}  // namespace crema::files::testing
