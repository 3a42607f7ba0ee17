#include <QTemporaryDir>
#include <QTest>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>

#include "core/import/import_process.h"
#include "core/morph/morph_set.h"
#include "tests/support/import_worker.h"
#include "tests/support/test_program.h"

namespace {

// A quad with the blend shape channels "smile" and "frown" at two models, with two materials that
// take a triangle each; "smile" moves from 0 to 100 % within a second.
std::string twoFaces() {
  return R"(; FBX 7.4.0 project file
FBXHeaderExtension:  {
  FBXVersion: 7400
}
GlobalSettings:  {
  Properties70:  {
    P: "UpAxis", "int", "Integer", "",1
    P: "UpAxisSign", "int", "Integer", "",1
    P: "FrontAxis", "int", "Integer", "",2
    P: "FrontAxisSign", "int", "Integer", "",1
    P: "CoordAxis", "int", "Integer", "",0
    P: "CoordAxisSign", "int", "Integer", "",1
    P: "UnitScaleFactor", "double", "Number", "",100
  }
}
Objects:  {
  Geometry: 1, "Geometry::Face", "Mesh" {
    Vertices: *12 {
      a: 0,0,0,1,0,0,0,1,0,1,1,0
    }
    PolygonVertexIndex: *6 {
      a: 0,1,-3,2,1,-4
    }
    LayerElementMaterial: 0 {
      MappingInformationType: "ByPolygon"
      ReferenceInformationType: "IndexToDirect"
      Materials: *2 {
        a: 0,1
      }
    }
  }
  Geometry: 2, "Geometry::smile", "Shape" {
    Indexes: *2 {
      a: 1,2
    }
    Vertices: *6 {
      a: 0,0,1,0,0,1
    }
  }
  Geometry: 3, "Geometry::frown", "Shape" {
    Indexes: *2 {
      a: 1,2
    }
    Vertices: *6 {
      a: 0,0,-1,0,0,-1
    }
  }
  Model: 4, "Model::Left", "Mesh" {
    Version: 232
  }
  Model: 5, "Model::Right", "Mesh" {
    Version: 232
  }
  Material: 6, "Material::Skin", "" {
    Version: 102
  }
  Material: 7, "Material::Lips", "" {
    Version: 102
  }
  Deformer: 8, "Deformer::Face", "BlendShape" {
    Version: 100
  }
  Deformer: 9, "SubDeformer::smile", "BlendShapeChannel" {
    Version: 100
    DeformPercent: 0
    FullWeights: *1 {
      a: 100
    }
  }
  Deformer: 10, "SubDeformer::frown", "BlendShapeChannel" {
    Version: 100
    DeformPercent: 0
    FullWeights: *1 {
      a: 100
    }
  }
  AnimationStack: 11, "AnimStack::Grin", "" {
  }
  AnimationLayer: 12, "AnimLayer::Base", "" {
  }
  AnimationCurveNode: 13, "AnimCurveNode::DeformPercent", "" {
  }
  AnimationCurve: 14, "AnimCurve::", "" {
    KeyTime: *2 {
      a: 0,46186158000
    }
    KeyValueFloat: *2 {
      a: 0,100
    }
    KeyAttrFlags: *1 {
      a: 4
    }
    KeyAttrDataFloat: *4 {
      a: 0,0,0,0
    }
    KeyAttrRefCount: *1 {
      a: 2
    }
  }
}
Connections:  {
  C: "OO",4,0
  C: "OO",5,0
  C: "OO",1,4
  C: "OO",1,5
  C: "OO",6,4
  C: "OO",7,4
  C: "OO",6,5
  C: "OO",7,5
  C: "OO",8,1
  C: "OO",9,8
  C: "OO",10,8
  C: "OO",2,9
  C: "OO",3,10
  C: "OO",12,11
  C: "OO",13,12
  C: "OP",13,9, "DeformPercent"
  C: "OP",14,13, "d|DeformPercent"
}
)";
}

}  // namespace

// Which targets of a file share a weight. glTF and Collada have their tests beside their readers.
class tst_morph_channels : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() { ck::test::useBuiltImportWorker(); }

  // The channel belongs to the geometry: its parts and both models show it alike.
  void aChannelOfFbxIsOneTarget() {
    const QTemporaryDir folder;
    const std::filesystem::path path =
        std::filesystem::path(folder.path().toStdString()) / "faces.fbx";
    std::ofstream(path) << twoFaces();
    const auto character = ck::importCharacter(path);
    QVERIFY2(character, character ? "" : character.error().message.c_str());
    QCOMPARE(character->meshes.size(), std::size_t{4});
    const ck::MorphSet set = ck::morphSetOf(*character);
    QCOMPARE(set.size(), std::size_t{2});
    QCOMPARE(set[0].name, std::string("smile"));
    QCOMPARE(set[0].members, (std::vector<ck::MorphMember>{{0, 0}, {1, 0}, {2, 0}, {3, 0}}));
    QCOMPARE(set[1].name, std::string("frown"));
    QCOMPARE(set[1].members.size(), std::size_t{4});
    QCOMPARE(character->clips.size(), std::size_t{1});
    const auto weights = ck::sampleMorphs(set, character->clips[0], 0.5);
    QVERIFY(std::abs(weights[0] - 0.5f) < 1e-4f && weights[1] == 0.0f);
  }
};

CK_TEST(tst_morph_channels)
#include "tst_morph_channels.moc"
